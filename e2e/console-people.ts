/** The people who run the house, in a browser: their sessions at the console, and how its pages are opened. */
import type { Page } from '@playwright/test'
import { codeOfTimeStep } from '../apps/server/testing/people/staff.ts'
import { timeOf } from '../apps/server/testing/product/play-round.ts'
import { axeOf as axeOfPage } from './appearance.ts'
import { expect } from './browser.ts'
import { type Stack, sessionOfStaff } from './stack.ts'

/** A desktop's browser, for `test.use`. */
export const DESKTOP = {
  viewport: { width: 1440, height: 900 },
  isMobile: false,
  hasTouch: false,
} as const

/** Opens a page of the console with a session of one of the demo's people. */
export async function openAs(page: Page, stack: Stack, name: string, path = '/'): Promise<void> {
  const value = await sessionOfStaff(stack, name)
  const { hostname } = new URL(stack.url)
  await page.context().addCookies([
    {
      name: 'staff',
      value,
      domain: hostname,
      path: '/api/staff',
      httpOnly: true,
      sameSite: 'Strict',
    },
  ])
  await page.addInitScript(`localStorage.setItem('console.signedIn', '1')`)
  await page.goto(`${stack.url}/console${path}`)
  await expect(page.getByRole('link', { name: 'Roles' })).toBeVisible()
}

/** Goes to a page of the console without loading the console again, and waits until it shows another title. */
export async function goTo(page: Page, path: string): Promise<void> {
  const title = page.locator('#react-admin-title')
  const before = (await title.textContent()) ?? ''
  await page.evaluate(`
    history.pushState({ idx: (history.state?.idx ?? 0) + 1 }, '', '/console${path}')
    dispatchEvent(new PopStateEvent('popstate'))`)
  await expect(title).not.toHaveText(before)
}

/** The code that an authenticator shows at the product's time. */
export async function codeNow(stack: Stack, secret: string): Promise<string> {
  return codeOfTimeStep(secret, Math.floor((await timeOf(stack)) / 30_000))
}

/** Opens the search by its key, which works a moment after the page is shown. */
export async function openSearch(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused({ timeout: 5_000 })
  }).toPass()
}

/** What axe finds on the page, in light and dark. @param same what is the same until the page is loaded again */
export async function axeOf(page: Page, same = ''): Promise<string[]> {
  // While a dialog closes, the page behind it is hidden from readers.
  await expect(page.locator('[aria-hidden="true"] h1')).toHaveCount(0)
  // A page's title comes when the page has come, and begins to load what it shows.
  await expect(page.locator('h1:empty')).toHaveCount(0)
  await expect(page.locator('.app-loader')).toHaveCount(0)
  // A list that is loading shows nothing for a second, and then a table without words.
  await expect(page.locator('th', { hasText: /^\u00a0$/ })).toHaveCount(0)
  // A text that is being edited has its own order of headings, as it will have on its page.
  const once = ['.RaMenu-open', same].filter(Boolean).join(', ')
  return axeOfPage(page, { never: '.ProseMirror > *', once })
}
