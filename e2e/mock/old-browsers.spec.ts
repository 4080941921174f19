/**
 * Goal: a browser that lacks something, or keeps nothing, shows the app or says what to do, and never the first shape of
 * the page for ever. Method: what old browsers lack is removed from the page before it starts.
 */
import type { Page } from '@playwright/test'
import { ROUTES } from '../../apps/web/src/app/routes.ts'
import { NEWER_APIS } from '../../tools/newer-apis.ts'
import { actAs, expect, untilLoaded } from '../browser.ts'
import { MEMBER } from '../full-replies.ts'
import { test } from '../mocked.ts'
import { translate } from '../translated-page.ts'

/** Old browsers have these too; what the data calls newer is a detail. */
const OLD_IN_THE_MAIN =
  /^(AbortSignal\.timeout|(Input|Keyboard)Event\.isComposing|TouchEvent\.|Touch(\.|$))/

/** Removes all that the oldest browsers of README do not have yet. */
async function removeNewerApis(page: Page): Promise<void> {
  const apis = NEWER_APIS.filter(
    ({ owner, member }) => !OLD_IN_THE_MAIN.test(member ? `${owner}.${member}` : owner),
  )
  await page.addInitScript(`{
    const apis = ${JSON.stringify(apis)}
    for (const { owner, member } of apis) {
      const found = owner.split('.').reduce((at, part) => at?.[part], globalThis)
      if (member === null || typeof found !== 'function') continue
      Reflect.deleteProperty(found, member)
      if (found.prototype) Reflect.deleteProperty(found.prototype, member)
    }
    for (const { owner, member } of apis) {
      if (member === null) Reflect.deleteProperty(globalThis, owner)
    }
  }`)
}

/** As with all site data blocked. */
async function blockSiteData(page: Page): Promise<void> {
  await page.addInitScript(`
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
      Object.defineProperty(window, name, {
        configurable: true,
        get() {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
    }`)
}

const PATHS = Object.values(ROUTES).map(({ path }) => path)
const SCREENS_A_TEST = 15

for (let from = 0; from < PATHS.length; from += SCREENS_A_TEST) {
  const paths = PATHS.slice(from, from + SCREENS_A_TEST)
  test(`screens open without the APIs that are newer than the oldest browsers: from ${paths[0]}`, async ({
    page,
    context,
  }) => {
    await actAs(context, MEMBER)
    await removeNewerApis(page)
    // Each screen is torn down while it is translated.
    await translate(page)
    await page.goto('/')
    await untilLoaded(page)
    expect(await page.evaluate('[typeof AbortSignal.any, typeof Map.groupBy]')).toEqual([
      'undefined',
      'undefined',
    ])
    for (const path of paths) {
      // Without loading the app again.
      await page.evaluate(`
      history.pushState(null, '', '${path}')
      dispatchEvent(new PopStateEvent('popstate'))`)
      await expect(page.locator('h1').first(), path).toBeVisible()
      await untilLoaded(page)
      await expect(page.getByText(/this page could not be shown/i), path).toHaveCount(0)
    }
  })
}

test('the console opens without the newer APIs', async ({ page }) => {
  await removeNewerApis(page)
  await page.goto('/console/')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('app and console open with all site data blocked', async ({ page }) => {
  await blockSiteData(page)
  await page.goto('/')
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Play' })).toBeVisible()
  await page.goto('/login')
  await expect(page.getByLabel('Username or email')).toBeVisible()
  await page.goto('/console/')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

for (const app of ['/', '/console/']) {
  test(`an older browser gets a page of words at ${app}, in its language`, async ({
    browser,
    url,
  }) => {
    const context = await browser.newContext({ locale: 'vi-VN' })
    const page = await context.newPage()
    await page.addInitScript('delete Array.prototype.toSorted')
    await page.goto(url + app)
    await expect(page.getByRole('heading', { name: 'Trình duyệt này quá cũ' })).toBeVisible()
    await expect(page.getByText(url + app)).toBeVisible()
    await expect(page.locator('.boot-page, #boot')).toHaveCount(0)
    await context.close()
  })

  test(`the page says so at ${app} when the app’s script cannot be run or loaded`, async ({
    page,
    console,
  }) => {
    await page.route(/\/assets\/index-[\w-]+\.js$/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' }),
    )
    await page.goto(app)
    await expect(page.getByRole('heading', { name: 'The page has not started' })).toBeVisible()
    await page.route(/\/assets\/index-[\w-]+\.js$/, (route) => route.abort())
    await page.getByRole('button', { name: 'Load again' }).click()
    await expect(page.getByRole('heading', { name: 'The page has not started' })).toBeVisible()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Load again' }).click()
    await expect(page.getByRole('heading', { name: 'The page has not started' })).toHaveCount(0)
    expect(console.splice(0).length).toBeGreaterThan(0)
  })
}
