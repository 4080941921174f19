/** The people who run the house, in a browser: their sign-in at the console, and what axe finds there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { APIResponse, Page } from '@playwright/test'
import { expect, freshCode, type Stack } from './stack.ts'

/** A desktop's browser, for `test.use`. */
export const DESKTOP = {
  viewport: { width: 1440, height: 900 },
  isMobile: false,
  hasTouch: false,
} as const

type Person = { name: string; password: string; totp_secret: string }

/** Signs one of the demo's people in. */
export async function signIn(page: Page, stack: Stack, name: string): Promise<void> {
  // What fades in or out has other contrasts meanwhile.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${stack.url}/console`)
  const person = personOf(stack, name)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(person.password)
  await page
    .getByLabel('Code of your authenticator')
    .fill(await freshCode(stack, person.totp_secret))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Roles' })).toBeVisible()
}

function personOf({ dataDir }: Stack, name: string): Person {
  const file = JSON.parse(readFileSync(join(dataDir, 'demo-staff.json'), 'utf8')) as Person & {
    others: Person[]
  }
  const person = [file, ...file.others].find((each) => each.name === name)
  if (!person) throw new Error(`demo-staff.json has no ${name}`)
  return person
}

/** Sends a call with the session of a page's person. */
export function postAs(
  page: Page,
  path: string,
  call: { data: object; headers?: Record<string, string> },
): Promise<APIResponse> {
  return page.context().request.post(path, call)
}

/** Opens the search by its key, which works a moment after the page is shown. */
export async function openSearch(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused({ timeout: 5_000 })
  }).toPass()
}

/** What axe finds on the page, each as its rule and the places. */
export async function axeOf(page: Page): Promise<string[]> {
  // While a dialog closes, the page behind it is hidden from readers.
  await expect(page.locator('[aria-hidden="true"] h1')).toHaveCount(0)
  // A page's title comes when the page has come, and begins to load what it shows.
  await expect(page.locator('h1:empty')).toHaveCount(0)
  await expect(page.locator('.app-loader')).toHaveCount(0)
  // A list that is loading shows nothing for a second, and then a table without words.
  await expect(page.locator('th', { hasText: /^\u00a0$/ })).toHaveCount(0)
  // A text that is being edited has its own order of headings, as it will have on its page.
  const { violations } = await new AxeBuilder({ page }).exclude('.ProseMirror > *').analyze()
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  )
}
