/** What a bench in a real browser needs: the built app, a Chromium, and what the app keeps of a session. */
import type { Browser, Page } from '@playwright/test'
import type { BenchPlayer, Product } from './product.ts'

/** The commands of the project, which are plain JavaScript. */
type Tools = {
  buildApps(node: string): Promise<void>
  findChromium(): Promise<string | undefined>
}

/** Builds the apps where they are not, and finds a Chromium; ends the process with a sentence where there is none. */
export async function prepareBrowser(): Promise<string> {
  const [{ buildApps }, { findChromium }] = (await Promise.all(
    ['build-apps', 'find-chromium'].map((name) => import(`../../tools/${name}.mjs`)),
  )) as [Pick<Tools, 'buildApps'>, Pick<Tools, 'findChromium'>]
  await buildApps(process.execPath)
  return (await findChromium()) ?? process.exit(1)
}

/** Keeps a player's session in a page, before the app's own scripts run in it. */
export function signIn(session: Record<string, string | number>): void {
  for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, String(value))
  localStorage.setItem('locale', 'en')
  localStorage.setItem('localetype', '3')
}

/** What the app keeps of a session while its page is open. */
export function sessionOf({ id, token }: BenchPlayer): Record<string, string | number> {
  return { token, userId: id, id, money: '1000000000.00', group_id: 1 }
}

/** A page as on a phone, in which a player is signed in. @param script runs in it before the app's own scripts */
export async function phonePage(
  browser: Browser,
  { stack }: Pick<Product, 'stack'>,
  { player, script, scale = 1 }: { player: BenchPlayer; script: string; scale?: number },
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: stack.url,
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: scale,
    hasTouch: true,
    isMobile: true,
  })
  await context.addInitScript(signIn, sessionOf(player))
  await context.addInitScript(script)
  return context.newPage()
}
