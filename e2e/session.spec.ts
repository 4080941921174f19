/**
 * Goal: the client's rules for sign-in, language and redirects: the guard, remember-me, the stored
 * keys, the codes that end a session, logging out, support and the loader.
 * Method: by tapping, and by reading the browser's storage afterwards. Answers that are hard to get
 * from a server (a code, a chat's address) are put into its reply.
 */
import type { Page } from '@playwright/test'
import { installClock, pass, stopClock } from './exact-clock.ts'
import { actAs, expect, post, registerMember, speak, test } from './stack.ts'

const PASSWORD = 'a long enough passphrase'
const DAY_S = 24 * 60 * 60

async function logIn(page: Page, username: string, remember = false): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  if (remember) await page.getByRole('checkbox', { name: 'Remember me' }).check()
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page).not.toHaveURL(/login/)
}

/** The contents of a storage of the page. */
function stored(page: Page, storage: 'session' | 'local'): Promise<Record<string, string>> {
  return page.evaluate(`({ ...${storage}Storage })`)
}

const SESSION_KEYS = ['avatar', 'group_id', 'id', 'idcard', 'money', 'token', 'userId']

test('a stranger sees the loading toast for half a second, then the login, and home after it', async ({
  page,
  stack,
}) => {
  await registerMember(stack, 'guard_meter')
  await installClock(page)
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Me', exact: true })).toBeVisible()
  await stopClock(page)
  await page.evaluate(`
    history.pushState(null, '', '/BetRecord')
    dispatchEvent(new PopStateEvent('popstate'))`)
  const toast = page.locator('[role=status][aria-live=polite]')
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
  await expect(page).toHaveURL(`${stack.url}/`)
  await logIn(page, 'guard_meter')
  await expect(page).toHaveURL(`${stack.url}/`)
})

test('a session is stored under the product’s names, and leaves nothing behind when it ends', async ({
  page,
  stack,
}) => {
  const member = await registerMember(stack, 'key_keeper')
  await logIn(page, 'key_keeper')
  await page.getByRole('link', { name: 'Me', exact: true }).click()
  await expect(page.getByText('key_keeper')).toBeVisible()
  await expect
    .poll(async () => Object.keys(await stored(page, 'session')).sort())
    .toEqual(SESSION_KEYS)
  const session = await stored(page, 'session')
  expect(session).toMatchObject({
    userId: String(member.user_id),
    id: String(member.id),
    group_id: '1',
  })
  expect(session.money).toMatch(/^\d+\.\d{2,6}$/)

  await page.goto('/changeline')
  await page.getByText('Line 2').click()
  await expect.poll(async () => (await stored(page, 'session')).activeList).toBe('1')

  await page.goto('/setting?type=1')
  await page.getByText('Log out', { exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  // The line belongs to the device, not to the player.
  await expect.poll(() => stored(page, 'session')).toEqual({ activeList: '1' })
  // The screen does not wait until the server knows.
  await expect
    .poll(async () => (await post(stack, '/api/user/userInfo', {}, session.token)).code)
    .toBe(50008)
})

test('remember-me signs in again for 14 days without a password, until the player logs out', async ({
  page,
  context,
  stack,
}) => {
  await registerMember(stack, 'old_friend')
  await logIn(page, 'old_friend', true)

  const cookies = new Map((await context.cookies()).map((cookie) => [cookie.name, cookie]))
  for (const name of ['remember_name', 'remember_device', 'remember']) {
    const days = ((cookies.get(name)?.expires ?? 0) - Date.now() / 1000) / DAY_S
    expect(days, name).toBeGreaterThan(13.9)
    expect(days, name).toBeLessThanOrEqual(14)
    expect(cookies.get(name)?.sameSite, name).toBe('Strict')
  }
  expect(cookies.get('remember')?.httpOnly).toBe(true)
  expect(cookies.get('remember_name')?.value).toBe('old_friend')
  const kept = [...cookies.values()].map(({ value }) => decodeURIComponent(value)).join(' ')
  expect(kept).not.toContain(PASSWORD)

  // A new tab has no session of its own.
  const later = await context.newPage()
  await later.goto('/personal')
  await expect(later.getByText('old_friend')).toBeVisible()
  await expect(later).toHaveURL(/personal/)

  await later.goto('/setting?type=1')
  await later.getByText('Log out', { exact: true }).click()
  await later.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  await expect.poll(() => stored(later, 'session')).toEqual({})
  const afterwards = await context.newPage()
  await afterwards.goto('/personal')
  await expect(afterwards).toHaveURL(/login/)
  await expect(afterwards.getByLabel('Username or email')).toHaveValue('old_friend')
  await expect(afterwards.getByLabel('Password', { exact: true })).toHaveValue('')
})

test('without remember-me a new tab is signed out', async ({ page, context, stack }) => {
  await registerMember(stack, 'passer_by')
  await logIn(page, 'passer_by')
  expect((await context.cookies()).filter(({ value }) => value !== '')).toEqual([])
  const later = await context.newPage()
  await later.goto('/personal')
  await expect(later).toHaveURL(/login/)
})

for (const code of [50008, 50012, 50014]) {
  test(`the code ${code} ends the session and reloads the page`, async ({ page, stack }) => {
    await registerMember(stack, `ended_${code}`)
    await logIn(page, `ended_${code}`)
    await page.evaluate('window.stillTheSame = true')
    await page.route('**/api/user/userInfo', (route) =>
      route.fulfill({ json: { code, msg: 'over', time: '0', data: {} } }),
    )
    // Home requests the balance, and gets this code.
    await expect(async () => {
      expect(await page.evaluate('window.stillTheSame')).toBeUndefined()
    }).toPass()
    await page.getByRole('link', { name: 'Me', exact: true }).click()
    await expect(page).toHaveURL(/login/)
    expect(await stored(page, 'session')).toEqual({})
  })
}

test('a token that the server does not know ends the session', async ({ page, stack, console }) => {
  await registerMember(stack, 'locked_out')
  await logIn(page, 'locked_out')
  const { token } = await stored(page, 'session')
  // The page reloads itself; a click before that would be lost.
  await page.evaluate('window.stillTheSame = true')
  await post(stack, '/api/user/logout', {}, token)
  await expect(async () => {
    expect(await page.evaluate('window.stillTheSame')).toBeUndefined()
  }).toPass()
  await page.getByRole('link', { name: 'Me', exact: true }).click()
  await expect(page).toHaveURL(/login/)
  expect(await stored(page, 'session')).toEqual({})
  // The browser itself reports a refused call; nothing else may be reported.
  const others = console.filter((message) => !/status of 401/.test(message))
  console.splice(0, console.length, ...others)
})

test('closing the login clears the session and goes home', async ({ page, stack }) => {
  await registerMember(stack, 'door_closer')
  await logIn(page, 'door_closer')
  await page.goto('/login')
  expect((await stored(page, 'session')).token).toBeTruthy()
  await page.getByRole('button', { name: 'Close and go to home' }).click()
  await expect(page).toHaveURL(`${stack.url}/`)
  expect(await stored(page, 'session')).toEqual({})
  await page.getByRole('link', { name: 'Me', exact: true }).click()
  await expect(page).toHaveURL(/login/)
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
    await page.reload()
    await expect(html).toHaveAttribute('lang', 'ko')

    // The system changes to Japanese while the app is open.
    await context.addInitScript(
      "Object.defineProperty(navigator, 'language', { get: () => 'ja-JP' })",
    )
    await page.evaluate(`
      Object.defineProperty(navigator, 'language', { get: () => 'ja-JP', configurable: true })
      window.dispatchEvent(new Event('languagechange'))`)
    await expect(html).toHaveAttribute('lang', 'ja')
  })
})

test('each language is stored with its number and stays', async ({ page }) => {
  for (const { name, locale, type, lang } of [
    { name: '简体中文', locale: 'zh', type: '1', lang: 'zh-CN' },
    { name: '繁體中文', locale: 'zh-TW', type: '2', lang: 'zh-TW' },
    { name: 'English', locale: 'en', type: '3', lang: 'en' },
    { name: '日本語', locale: 'ja', type: '4', lang: 'ja' },
    { name: '한국어', locale: 'ko', type: '5', lang: 'ko' },
    { name: 'Tiếng Việt', locale: 'vi', type: '6', lang: 'vi' },
    { name: 'Bahasa Indonesia', locale: 'id', type: '7', lang: 'id' },
  ]) {
    await page.goto('/language')
    await page.getByText(name, { exact: true }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
    expect(await stored(page, 'local')).toMatchObject({ locale, localetype: type })
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
  }
})

/** Changes what the operator configured, in the server's reply. */
async function configure(page: Page, data: object, features: object): Promise<void> {
  await page.route('**/api/index/config*', async (route) => {
    const reply = await route.fetch()
    const json = (await reply.json()) as { data: { features: object } }
    const changed = { ...json.data, ...data, features: { ...json.data.features, ...features } }
    await route.fulfill({ json: { ...json, data: changed } })
  })
}

/** Opens home, and waits for the configuration, which is fetched once a visit and may come before the page is loaded. */
async function gotoConfigured(page: Page): Promise<void> {
  const configuration = page.waitForResponse(/index\/config/)
  await page.goto('/')
  await (await configuration).finished()
}

test.describe('the support button', () => {
  const CHAT = 'https://chat.example/room'

  test('leads a stranger to the login', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Support' }).click()
    await expect(page).toHaveURL(/\/login$/)
  })

  test('opens the operator’s chat for a signed-in player', async ({ page, context, stack }) => {
    await actAs(context, await registerMember(stack, 'chatter'), 'en')
    await context.route(`${CHAT}**`, (route) => route.fulfill({ body: 'hello' }))
    await configure(page, { support_url: CHAT }, {})
    await gotoConfigured(page)
    const opened = context.waitForEvent('page')
    await page.getByRole('button', { name: 'Support' }).click()
    const chat = await opened
    await expect(chat).toHaveURL(CHAT)
    // The chat does not learn where it was opened, and cannot reach the opener.
    expect(await chat.evaluate('document.referrer')).toBe('')
    expect(await chat.evaluate('window.opener')).toBeNull()
  })

  test('opens the login when the server does not identify the player', async ({
    page,
    context,
    stack,
    console,
  }) => {
    await actAs(context, await registerMember(stack, 'unsure'), 'en')
    await configure(page, { support_url: CHAT }, {})
    await page.route('**/api/user/userInfo', (route) => route.abort('connectionreset'))
    await gotoConfigured(page)
    const opened = context.waitForEvent('page')
    await page.getByRole('button', { name: 'Support' }).click()
    await expect(page).toHaveURL(/\/login$/)
    // The tab that was opened for the chat is closed again.
    await expect.poll(async () => (await opened).isClosed()).toBe(true)
    expect(console.splice(0).every((message) => message.includes('ERR_CONNECTION_RESET'))).toBe(
      true,
    )
  })

  test('leads to a page with the common answers when there is no chat', async ({
    page,
    context,
    stack,
  }) => {
    const player = await registerMember(stack, 'asker')
    await actAs(context, player, 'en')
    await configure(page, { support_url: null }, { support_email: null })
    for (const from of ['/', '/personal']) {
      await page.goto(from)
      await page.getByRole('button', { name: 'Support' }).click()
      await expect(page).toHaveURL(/\/support$/)
      await expect(page.getByText('has not named a chat or an email address')).toBeVisible()
    }
    await page.getByText('How is a draw made?').click()
    await expect(page.getByText('From a secret that is fixed in advance')).toBeVisible()
    await page.getByRole('link', { name: 'Read all the rules' }).click()
    await expect(page).toHaveURL(/\/rules$/)
    await page.goBack()
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page).toHaveURL(/\/personal$/)
  })

  test('opens a page with the operator’s address, and the player’s data to mention', async ({
    page,
    context,
    stack,
  }) => {
    const player = await registerMember(stack, 'writer')
    await actAs(context, player, 'en')
    await configure(page, { support_url: null }, { support_email: 'help@play.example' })
    await page.goto('/support')
    await expect(page.getByRole('link', { name: 'Write an email' })).toHaveAttribute(
      'href',
      'mailto:help@play.example',
    )
    await expect(page.getByText('help@play.example')).toBeVisible()
    await expect(page.getByText(`Your user ID ${player.id}`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy the email address' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open the chat' })).toHaveCount(0)
    await configure(page, { support_url: CHAT }, {})
    await page.reload()
    const chat = page.getByRole('link', { name: 'Open the chat' })
    await expect(chat).toHaveAttribute('href', CHAT)
    await expect(chat).toHaveAttribute('rel', 'noopener noreferrer')
  })

  test('is not a page for strangers, and says so when the contacts cannot be loaded', async ({
    page,
    context,
    stack,
    console,
  }) => {
    await page.goto('/support')
    await expect(page).toHaveURL(/\/login$/)
    await actAs(context, await registerMember(stack, 'out_of_reach'), 'en')
    await page.route('**/api/index/config*', (route) => route.abort())
    await page.goto('/support')
    await expect(page.getByRole('alert')).toContainText('Try again')
    await expect(page.getByText('Common answers')).toBeVisible()
    await page.unroute('**/api/index/config*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('alert')).toHaveCount(0)
    console.splice(0)
  })
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
    await page.addInitScript(HOLD)
    await page.goto('/')
    await expect(page.getByRole('heading').first()).toBeAttached()
    expect(await seenAt(page, 999)).toBe('visible')
    expect(await seenAt(page, 1_000)).toBe('hidden')
    await expect(page.locator('#boot')).toHaveCount(0)
  })

  test('is not shown to a user who prefers reduced motion', async ({ page, context }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
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
