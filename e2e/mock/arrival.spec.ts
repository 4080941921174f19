/**
 * Goal: a screen opens for any failures of the network. The app waits for its language and code only a limited time
 * and then fetches them again, and a screen reader announces each screen. Method: single files of the build are delayed or refused.
 */
import { articleList } from '@sum28/contract/index-routes.ts'
import { actAs, expect, expectToast, pullDown, speak, tab } from '../browser.ts'
import { answerFully, MEMBER } from '../full-replies.ts'
import { test } from '../mocked.ts'

/** The path of the build's file that contains these words. */
async function fileSaying(app: string, words: string): Promise<string> {
  const listed = await (await fetch(`${app}/sw.js`)).text()
  for (const [path] of listed.matchAll(/assets\/[\w.-]+\.js/g)) {
    const file = `${app}/${path}`
    if ((await (await fetch(file)).text()).includes(words)) return file
  }
  throw new Error(`no file of the build says ‘${words}’`)
}

test('the page of a screen names its own files, then those that the screen loads, and all of them exist', async ({
  url,
}) => {
  const page = await fetch(`${url}/lottery`)
  const named = [...(page.headers.get('link') ?? '').matchAll(/<([^>]+)>/g)].map(([, path]) => path)
  const html = await page.text()
  const own = named.filter((path) => path && html.includes(path))
  expect(own.join()).toMatch(/index-[\w-]*\.css,.*index-[\w-]*\.js/)
  expect(named.slice(0, own.length)).toEqual(own)
  expect(named.join()).toMatch(/hall-screen-[\w-]*\.css,.*hall-screen[\w-]*\.js/)
  expect(new Set(named).size).toBe(named.length)
  for (const path of named) expect((await fetch(url + path)).status).toBe(200)
})

test('the app starts in English when its language does not load, and switches when it has loaded', async ({
  page,
  context,
  url,
}) => {
  await speak(context, 'vi')
  let letGo = () => {}
  const held = new Promise<void>((done) => {
    letGo = done
  })
  await page.route(await fileSaying(url, 'Xem phòng trực tiếp'), async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/')
  const tabs = page.getByRole('navigation')
  await expect(tabs.getByRole('link', { name: 'Play' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  letGo()
  await expect(page.locator('html')).toHaveAttribute('lang', 'vi')
  await expect(tabs.getByRole('link', { name: 'Play' })).toHaveCount(0)
})

test('a screen whose code could not be fetched is fetched again when it is opened again', async ({
  page,
  context,
  console,
}) => {
  await actAs(context, MEMBER)
  await page.goto('/personal')
  await expect(tab(page, 'Charts')).toBeVisible()
  let refused = 0
  await page.route('**/assets/charts-screen*.js', (route) => {
    refused += 1
    return route.abort('connectionreset')
  })
  await tab(page, 'Charts').click()
  await expect(page.getByText('This page could not be shown')).toBeVisible()
  expect(refused).toBeGreaterThanOrEqual(3)
  await page.unroute('**/assets/charts-screen*.js')
  await page.getByRole('link', { name: 'Me', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Me' })).toBeVisible()
  await tab(page, 'Charts').click()
  // Which try fetched it does not matter: the last of the idle time’s may be later than the message.
  await expect(page.getByRole('heading', { name: 'Charts' })).toBeVisible()
  expect(console.splice(0).length).toBeGreaterThan(0)
})

test('the code of the live channel that could not be fetched is fetched again when the page is online again', async ({
  page,
  context,
  console,
}) => {
  await actAs(context, MEMBER)
  let refused = 0
  await page.route('**/assets/channel*.js', (route) => {
    refused += 1
    return route.abort('connectionreset')
  })
  await page.goto('/personal')
  await expect.poll(() => refused).toBeGreaterThanOrEqual(3)
  await page.unroute('**/assets/channel*.js')
  const streams = page.waitForResponse(/Lottery\/gamesStream/)
  await context.setOffline(true)
  await context.setOffline(false)
  expect((await streams).status()).toBe(200)
  expect(console.splice(0).length).toBeGreaterThan(0)
})

test('on every screen but the first, its name gets the focus and is announced', async ({
  page,
  context,
}) => {
  await actAs(context, MEMBER)
  await page.goto('/personal')
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  const announced = page.locator('[aria-live=polite]:not([role])')
  await expect(heading('Me')).toBeVisible()
  await expect(heading('Me')).not.toBeFocused()
  await expect(announced).toHaveText('')

  await page.getByRole('link', { name: 'Bet history' }).click()
  await expect(heading('Bet history')).toBeFocused()
  await expect(announced).toHaveText('Bet history')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(heading('Me')).toBeFocused()
  await expect(announced).toHaveText('Me')

  await tab(page, 'Home').click()
  await expect(heading('Home')).toBeFocused()
  await page.getByRole('link', { name: /^Language/ }).click()
  await expect(heading('Language')).toBeFocused()
  await page.getByText('Bahasa Indonesia').click()
  await expect(heading('Beranda')).toBeFocused()
  await expect(announced).toHaveText('Beranda')
})

test('data that could not be refreshed shows its time, and a failed pull is reported', async ({
  page,
  context,
  mock,
  console,
}) => {
  await actAs(context, MEMBER)
  await page.goto('/moreNews')
  await expect(page.getByRole('heading', { name: 'News' })).toBeVisible()
  await expect(page.getByRole('tab').first()).toBeVisible()
  mock.cutOff(articleList)
  await pullDown(page)
  await expectToast(page, 'The server cannot be reached. Check your connection and try again.')
  const note = page.getByText(/^Could not be updated\. What you see is as of \d\d:\d\d\.$/)
  await expect(note).toBeVisible()
  answerFully(mock)
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(note).toBeHidden()
  expect(console.splice(0).every((message) => message.includes('ERR_EMPTY_RESPONSE'))).toBe(true)
})
