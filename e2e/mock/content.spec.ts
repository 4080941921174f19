/**
 * Goal: public content (banners, games, winners, news, notices, about) is shown as the product
 * says, and nothing in a URL or in an operator's HTML can run in the app. The server would sanitise hostile HTML
 * when it is saved, so these tests are of the app's own sanitising.
 */
import type { Page } from '@playwright/test'
import * as index from '@sum28/contract/index-routes.ts'
import { lobby } from '@sum28/contract/lottery-routes.ts'
import { gamesStream } from '@sum28/contract/stream.ts'
import { actAs, expect, speak } from '../browser.ts'
import { expectChangeEvery, installClock, pass, stopClock } from '../exact-clock.ts'
import { MEMBER } from '../full-replies.ts'
import { test } from '../mocked.ts'

const HOSTILE = `
  <h2>Harmless</h2>
  <p onclick="window.ran=1" style="position:fixed">Hello
    <a href="javascript:window.ran=2">bad</a>
    <a href="/rules">rules</a>
    <a href="https://example.org/a">out</a></p>
  <img src="/nothing" onerror="window.ran=3" alt="broken">
  <img src="/banners/exact.svg" alt="own">
  <img src="https://evil.example/p.png" alt="outside">
  <script>window.ran=4</script>
  <svg onload="window.ran=5"><script>window.ran=6</script></svg>
  <iframe src="javascript:parent.ran=7"></iframe>
  <form action="/x"><input name="a" autofocus onfocus="window.ran=8"></form>
  <style>body{display:none}</style>
  <math><mtext><table><mglyph><style><img src=x onerror="window.ran=9"></style></mglyph></table></mtext></math>
  <details open ontoggle="window.ran=10"><summary>more</summary></details>
  <a href="data:text/html,<script>1</script>">data</a>`

/**
 * Checks that nothing of the hostile HTML ran or remained. While the app parses it outside the
 * page, the browser reports in its console what the policy blocked.
 */
async function expectHarmless(page: Page, console: string[]): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Harmless' })).toBeVisible()
  // Time enough for an event handler to have run.
  await page.waitForTimeout(300)
  expect(await page.evaluate('window.ran')).toBeUndefined()
  const region = page.getByRole('heading', { name: 'Harmless' }).locator('xpath=..')
  const html = await region.innerHTML()
  expect(
    console.splice(0).filter((message) => !message.includes('Content Security Policy')),
  ).toEqual([])
  expect(html).not.toMatch(/script|onerror|onclick|onload|style=|data:|iframe|<form|evil\.example/i)
}

test('the home screen has a version notice, four games with their last draw, and five tabs', async ({
  page,
  context,
}) => {
  await speak(context, 'en')
  await page.goto('/')
  await expect(page.getByText('Version 21.04.02')).toBeVisible()
  const cards = page.getByRole('region', { name: 'Games' }).getByRole('link')
  await expect(cards).toHaveCount(4)
  for (const [at, name] of ['DOT', 'BCH', 'ETH', 'BTC'].entries()) {
    await expect(cards.nth(at)).toContainText(name)
    await expect(cards.nth(at)).toContainText('300')
    await expect(
      cards.nth(at).getByRole('img', { name: `${at}, 2, 3: sum ${at + 5}` }),
    ).toBeVisible()
  }
  const tabs = page.getByRole('navigation', { name: 'Main screens' }).getByRole('link')
  await expect(tabs).toHaveCount(5)
  const paths = await tabs.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(paths).toEqual(['/', '/moreNews', '/lottery', '/find', '/personal'])
  await expect(tabs.first()).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('link', { name: /^Language/ })).toHaveAttribute('href', '/language')
  await page.getByRole('button', { name: /^Line 1/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Line 2/ })
    .click()
  await expect(page.getByRole('button', { name: /^Line 2 ·/ })).toBeVisible()
})

test('the banners change every three seconds, and stop on request', async ({ page, context }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await speak(context, 'en')
  await installClock(page)
  await page.goto('/')
  const strip = page.getByRole('region', { name: 'What is special here' })
  await expect(page.getByRole('button', { name: 'Stop the banners' })).toBeVisible()
  // The banner that can be reached; the others are inert.
  const shown = () => strip.locator('li:not([inert])').innerHTML()
  // They begin when the browser reports that they can be seen.
  const first = await shown()
  await expect.poll(shown).not.toBe(first)
  await stopClock(page)
  await expectChangeEvery(page, 3_000, shown)
  await page.getByRole('button', { name: 'Stop the banners' }).click()
  const stopped = await shown()
  await pass(page, 30_000)
  expect(await shown()).toBe(stopped)
})

test('for a user who prefers reduced motion everything starts stopped, and can be started', async ({
  page,
}) => {
  await installClock(page)
  await actAs(page.context(), MEMBER)
  await page.goto('/')
  const banners = page.getByRole('button', { name: 'Let the banners move on' })
  await expect(banners).toBeVisible()
  await banners.click()
  await expect(page.getByRole('button', { name: 'Stop the banners' })).toBeVisible()
  const winners = page.getByRole('region', { name: 'Winners, last 24 hours' })
  await winners.getByRole('button', { name: 'Resume' }).click()
  await winners.getByRole('button', { name: 'Pause' }).click()
  await expect(winners.getByRole('button', { name: 'Resume' })).toBeVisible()

  await page.goto('/betRoom?id=21&game_id=2&name=BCH&title=Basic')
  const line = page.getByRole('button', { name: /^Pause the notices/ })
  await expect(line).toHaveAttribute('aria-pressed', 'true')
  const text = await line.textContent()
  await stopClock(page)
  await pass(page, 30_000)
  expect(await line.textContent()).toBe(text)
  await line.click()
  await pass(page, 3_000)
  await expect(line).not.toHaveText(text ?? '')
})

test('the winners have name, game, profit and date, and no Chinese names', async ({
  page,
  context,
  mock,
}) => {
  await speak(context, 'en')
  const won = { game_name: 'BTC', profit: '92.50', createtime: 1_767_312_000 }
  mock.answer(index.home, {
    banner: [],
    winners: [
      { ...won, nickname: 'an***ee' },
      { ...won, nickname: '王***ee', profit: '777.00' },
    ],
    version_notice: { label: '21.04.02', content: '' },
  })
  await page.goto('/')
  const winners = page.getByRole('region', { name: 'Winners, last 24 hours' }).getByRole('listitem')
  await expect(winners).toHaveCount(1)
  await expect(winners).toContainText('an***ee')
  await expect(winners).toContainText('BTC')
  await expect(winners).toContainText('+92.50')
  await expect(winners).toContainText('Jan')
})

test('many winners scroll by themselves', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  const list = page.getByRole('region', { name: 'Winners, last 24 hours' }).getByRole('list')
  await list.scrollIntoViewIfNeeded()
  await expect.poll(() => list.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
})

test('the news have hot topics and tabs, and open an article by its id', async ({ page }) => {
  await actAs(page.context(), MEMBER)
  await page.goto('/moreNews')
  await expect(page.getByText('Hot topics')).toBeVisible()
  const tabs = page.getByRole('tab')
  await expect(tabs.first()).toHaveAttribute('aria-selected', 'true')
  expect(await tabs.count()).toBeGreaterThan(1)
  await tabs.nth(1).click()
  const name = (await tabs.nth(1).textContent()) ?? ''
  const row = page.getByRole('tabpanel', { name, exact: true }).getByRole('link').first()
  await row.click()
  await expect(page).toHaveURL(/\/aticleDetail\?news=/)
  const news = new URL(page.url()).searchParams.get('news') ?? ''
  expect(Object.keys(JSON.parse(news))).toEqual(['id'])
  await expect(page.getByRole('article').getByRole('heading').first()).toBeVisible()
  await page.goBack()
  await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
})

test('an article without a title is called news page, and its HTML does no harm', async ({
  page,
  mock,
  console,
}) => {
  await actAs(page.context(), MEMBER)
  const article = { id: 1, title: '', content: HOSTILE, createtime: 1_767_312_000, image: '' }
  mock.answer(index.article, article)
  await page.goto('/aticleDetail?news=%7B%22id%22%3A1%7D')
  await expect(page.getByRole('heading', { name: 'News page' })).toBeVisible()
  await expectHarmless(page, console)
  const pictures = page.getByRole('article').locator('img')
  for (const picture of await pictures.all()) {
    await expect(picture).toHaveAttribute('loading', 'lazy')
  }
  const out = page.getByRole('link', { name: 'out', exact: true })
  await expect(out).toHaveAttribute('target', '_blank')
  await expect(out).toHaveAttribute('rel', /noopener/)
  await page.getByRole('link', { name: 'rules', exact: true }).click()
  await expect(page).toHaveURL(/\/rules$/)
})

test('text about an article in the URL is not shown', async ({ page }) => {
  await actAs(page.context(), MEMBER)
  const forged = { id: 1, title: 'Forged title', content: '<b>Forged text</b>' }
  await page.goto(`/aticleDetail?news=${encodeURIComponent(JSON.stringify(forged))}`)
  await expect(page.getByRole('article').getByRole('heading').first()).toBeVisible()
  await expect(page.getByText('Forged')).toHaveCount(0)
  await page.goto('/aticleDetail?news=nonsense')
  await expect(page.getByText('This article cannot be found')).toBeVisible()
})

test('about shows the operator’s HTML without harm, and the build’s version', async ({
  page,
  mock,
  console,
}) => {
  await actAs(page.context(), MEMBER)
  mock.answer(index.aboutUs, { about: { content: HOSTILE } })
  await page.goto('/about')
  await expectHarmless(page, console)
  await expect(page.getByText(/^Build \S+/)).toBeVisible()
})

test('notices open with the announcements, and their HTML does no harm', async ({
  page,
  mock,
  console,
}) => {
  await actAs(page.context(), MEMBER)
  const notice = { id: 1, content: HOSTILE, createtime: 1_767_312_000, read: false }
  mock.answer(index.noticeList, {
    zhannei: [{ ...notice, title: 'A message for you', content: '<p>Only yours</p>' }],
    pingtai: [{ ...notice, title: 'For all' }],
  })
  await page.goto('/Notice')
  const tabs = page.getByRole('tab')
  await expect(tabs).toHaveCount(2)
  await expect(tabs.nth(0)).toContainText('Messages')
  await expect(tabs.nth(1)).toContainText('Announcements')
  await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('For all')).toBeVisible()
  await expectHarmless(page, console)
  await tabs.nth(0).click()
  await expect(page.getByText('Only yours')).toBeVisible()
})

test('empty lists say so and can be reloaded', async ({ page, mock }) => {
  await actAs(page.context(), MEMBER)
  mock.answer(index.articleList, { tops: [], articleTabs: [] })
  mock.answer(index.noticeList, { zhannei: [], pingtai: [] })
  mock.answer(index.promos, [])
  mock.answer(index.aboutUs, { about: { content: '' } })
  mock.answer(lobby, { gameList: [] })
  mock.onOpen(gamesStream, (opened) => opened.send('begin', []))
  mock.answer(index.home, {
    ...{ banner: [], winners: [], version_notice: { label: '21.04.02', content: '' } },
  })
  for (const [path, says, call] of [
    ['/', 'Nobody has won in the last 24 hours yet.', /index\/index/],
    ['/moreNews', 'No articles yet', /index\/articleList/],
    ['/Notice', 'No announcements', /index\/noticeList/],
    ['/actionCenter', 'No promotions at the moment', /index\/promos/],
    ['/about', 'Nothing has been written here yet', /index\/aboutus/],
    ['/lottery', 'Nothing here yet', /Lottery\/index/],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(says, { exact: true }), path).toBeVisible()
    const request = page.waitForRequest(call)
    await page.getByRole('button', { name: 'Load again' }).click()
    await request
  }
})
