/**
 * Goal: a browser that lacks something, or keeps nothing, shows the app or says what to do, and never the first shape of
 * the page for ever. Method: what old browsers lack is removed from the page before it starts.
 */
import { login } from '@sum28/contract/user-routes.ts'
import { ROUTES } from '../../apps/web/src/navigation/routes.ts'
import { USERINFO } from '../../apps/web/src/testing/usual-replies.ts'
import { actAs, expect, PASSWORD, untilLoaded } from '../browser.ts'
import { MEMBER } from '../full-replies.ts'
import { test } from '../mocked.ts'
import { blockSiteData, removeNewerApis } from '../old-browser.ts'
import { translate } from '../translated-page.ts'

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
      await expect(page.getByText(/could not be (shown|loaded)/i), path).toHaveCount(0)
    }
  })
}

test('app and console open with all site data blocked, and a player can sign in', async ({
  page,
  mock,
}) => {
  mock.answer(login, { userinfo: USERINFO })
  await blockSiteData(page)
  await page.goto('/')
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Play' })).toBeVisible()
  await page.goto('/login')
  await page.getByLabel('Username or email').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('link', { name: 'Me', exact: true }).click()
  await expect(page.getByText('ID 7')).toBeVisible()
  await page.goto('/console/')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
})

for (const app of ['/', '/console/']) {
  test(`an older browser gets a page of words at ${app}, in its language`, async ({
    anotherPage,
    url,
  }) => {
    const page = await anotherPage({ locale: 'vi-VN' })
    await page.addInitScript('delete Array.prototype.toSorted')
    await page.goto(url + app)
    await expect(page.getByRole('heading', { name: 'Trình duyệt này quá cũ' })).toBeVisible()
    await expect(page.getByText(url + app)).toBeVisible()
    await expect(page.locator('.boot-page, #boot')).toHaveCount(0)
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
