/**
 * Goal: public content (banners, games, winners, news, notices, about) is shown as the product
 * says, and nothing in a URL or in an operator's HTML can run in the app. The server would sanitise hostile HTML
 * when it is saved, so these tests are of the app's own sanitising.
 */
import type { Page } from '@playwright/test'
import * as index from '@sum28/contract/index-routes.ts'
import { actAs, expect, speak, untilTrue } from '../browser.ts'
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

/** A picture that waits until it is scrolled to has not begun to load. */
const PICTURES_ARE_THERE = `[...document.images].every(({ complete, loading }) => complete || loading === 'lazy')`

/**
 * Checks that nothing of the hostile HTML ran or remained. While the app parses it outside the
 * page, the browser reports in its console what the policy blocked.
 */
async function expectHarmless(page: Page, console: string[]): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Harmless' })).toBeVisible()
  // All that could run has run: the pictures have loaded or failed, and two frames are drawn.
  await page.evaluate(untilTrue(PICTURES_ARE_THERE))
  expect(await page.evaluate('window.ran')).toBeUndefined()
  const region = page.getByRole('heading', { name: 'Harmless' }).locator('xpath=..')
  const html = await region.innerHTML()
  expect(
    console.splice(0).filter((message) => !message.includes('Content Security Policy')),
  ).toEqual([])
  expect(html).not.toMatch(/script|onerror|onclick|onload|style=|data:|iframe|<form|evil\.example/i)
}

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
  await expect(page.getByRole('heading', { name: 'News page', level: 2 })).toBeVisible()
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
