/**
 * Goal: the client's rules for sign-in, language and redirects: the guard, the stored keys, the codes that end a session,
 * support and the loader. Method: by tapping, and by reading the browser's storage afterwards.
 */
import type { Page } from '@playwright/test'
import { config } from '@sum28/contract/index-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { CONFIG } from '../../apps/web/src/testing/usual-replies.ts'
import { actAs, expect, logIn, speak, stored } from '../browser.ts'
import { installClock, pass, stopClock } from '../exact-clock.ts'
import { MEMBER } from '../full-replies.ts'
import { test } from '../mocked.ts'

test('a stranger sees the loading toast for half a second, then the login, and home after it', async ({
  page,
}) => {
  await installClock(page)
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Me', exact: true })).toBeVisible()
  await stopClock(page)
  await page.evaluate(`
    history.pushState(null, '', '/BetRecord')
    dispatchEvent(new PopStateEvent('popstate'))`)
  const toast = page.locator('body > [role=status]')
  await expect(toast).toHaveText('Loading')
  await pass(page, 499)
  await expect(toast).toHaveText('Loading')
  await expect(page).toHaveURL(/\/BetRecord$/)
  await pass(page, 1)
  await expect(page).toHaveURL(/\/login$/)
  await expect(toast).toHaveText('')
  await page.clock.resume()

  // The refused address is not in the history, so going back does not reach the guard again.
  await page.goBack()
  await expect(page).toHaveURL('/')
  await logIn(page, 'ann')
  await expect(page).toHaveURL('/')
})

test('an answer that the session is over ends it and reloads the page', async ({ page, mock }) => {
  await logIn(page, 'ann')
  await expect(page.getByRole('link', { name: /^Balance/ })).toBeVisible()
  await page.evaluate('window.stillTheSame = true')
  mock.refuse(userInfo, { reason: 'session_expired', msg: 'over', code: 50014 })
  // Support asks who the player is, and gets this code.
  await page.getByRole('button', { name: 'Support' }).click()
  await expect(async () => {
    expect(await page.evaluate('window.stillTheSame')).toBeUndefined()
  }).toPass()
  await page.getByRole('link', { name: 'Me', exact: true }).click()
  await expect(page.getByText(/^You have been logged out/)).toBeVisible()
  expect(await stored(page, 'session')).toEqual({})
})

test.describe('on a system that speaks Korean', () => {
  test.use({ locale: 'ko-KR' })

  test('the app speaks English until it is set to follow the system', async ({ page, context }) => {
    const html = page.locator('html')
    await page.goto('/language')
    await expect(html).toHaveAttribute('lang', 'en')
    await page.getByText('Follow system').click()
    await expect(html).toHaveAttribute('lang', 'ko')
    expect(await stored(page, 'local')).toMatchObject({ locale: 'ko', localetype: '0' })
    await page.goto('/rules')
    await expect(page.getByText('한 회차의 진행')).toBeVisible()
    await expect(html).toHaveAttribute('lang', 'ko')

    // The system changes to Japanese while the app is open, whose screen stays in sight.
    await context.addInitScript(
      "Object.defineProperty(navigator, 'languages', { get: () => ['ja-JP'] })",
    )
    await page.evaluate(`
      const title = document.querySelector('main h2')
      window.wasHidden = false
      const look = () => {
        window.wasHidden ||= !title.checkVisibility()
        requestAnimationFrame(look)
      }
      look()
      Object.defineProperty(navigator, 'languages', { get: () => ['ja-JP'], configurable: true })
      window.dispatchEvent(new Event('languagechange'))`)
    await expect(html).toHaveAttribute('lang', 'ja')
    await expect(page.getByText('1回の流れ')).toBeVisible()
    expect(await page.evaluate('window.wasHidden')).toBe(false)
  })
})

test('the support button opens the operator’s chat for a signed-in player', async ({
  page,
  context,
  mock,
}) => {
  const chatAddress = 'https://chat.example/room'
  await actAs(context, MEMBER)
  await context.route(`${chatAddress}**`, (route) => route.fulfill({ body: 'hello' }))
  mock.answer(config, { ...CONFIG, support_url: chatAddress })
  // The configuration is fetched once a visit, and may come before the page is loaded.
  const configuration = page.waitForResponse(/index\/config/)
  await page.goto('/')
  await (await configuration).finished()
  const opened = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Support' }).click()
  const chat = await opened
  await expect(chat).toHaveURL(chatAddress)
  // The chat does not learn where it was opened, and cannot reach the opener.
  expect(await chat.evaluate('document.referrer')).toBe('')
  expect(await chat.evaluate('window.opener')).toBeNull()
})

test.describe('the loader', () => {
  /** Pauses the animation of the loader from its first moment on. */
  const HOLD = `{
    const held = new CSSStyleSheet()
    held.replaceSync('#boot { animation-play-state: paused !important }')
    document.adoptedStyleSheets = [held]
  }`

  /** Whether the loader is visible so many milliseconds after its start. */
  const seenAt = (page: Page, ms: number) =>
    page.evaluate(`(() => {
      const boot = document.getElementById('boot')
      for (const each of boot.getAnimations()) each.currentTime = ${ms}
      return getComputedStyle(boot).visibility
    })()`)

  test('covers the screen for a second while the first screen is drawn below it', async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.addInitScript(HOLD)
    await page.goto('/')
    await expect(page.getByRole('heading').first()).toBeAttached()
    expect(await seenAt(page, 999)).toBe('visible')
    expect(await seenAt(page, 1_000)).toBe('hidden')
    await expect(page.locator('#boot')).toHaveCount(0)
  })

  test('is not shown to a user who prefers reduced motion', async ({ page, context }) => {
    await speak(context, 'en')
    await page.addInitScript(`
      document.addEventListener('DOMContentLoaded', () => {
        const [leaving] = document.getElementById('boot').getAnimations()
        window.loaderMs = leaving ? leaving.effect.getComputedTiming().endTime : 0
      })`)
    await page.goto('/')
    await expect(page.locator('#boot')).toHaveCount(0)
    expect(await page.evaluate('window.loaderMs')).toBe(1)
  })
})
