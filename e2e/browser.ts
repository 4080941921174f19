/** What all browser tests share: the page's console, toasts, languages, and a player's session in the browser. */
import { createECDH, randomBytes } from 'node:crypto'
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Locator,
  type Page,
} from '@playwright/test'
import { KeptPages } from './kept-pages.ts'

export { expect }

/** Another person's page, with a context of its own, that differs from the test's page in these options. */
export type AnotherPage = (differing?: BrowserContextOptions) => Promise<Page>

type Pages = { console: string[]; anotherPage: AnotherPage }

export const test = base.extend<Pages, { keptPages: KeptPages }>({
  keptPages: [
    async ({ browser }, use) => {
      await use(new KeptPages(browser))
    },
    { scope: 'worker' },
  ],
  anotherPage: async (
    { keptPages, baseURL, viewport, isMobile, hasTouch, locale, serviceWorkers, contextOptions },
    use,
    info,
  ) => {
    const options = { ...contextOptions, baseURL, viewport, isMobile, hasTouch, locale }
    await use((differing) =>
      keptPages.take({ ...options, serviceWorkers, ...differing } as BrowserContextOptions),
    )
    await keptPages.giveBackAll({ failed: info.errors.length > 0 })
  },
  page: async ({ anotherPage }, use) => {
    await use(await anotherPage())
  },
  context: async ({ page }, use) => {
    await use(page.context())
  },
  // A page that reports anything in its console has failed.
  console: [
    async ({ page }, use, info) => {
      await keepToasts(page.context())
      const messages = consoleOf(page)
      await use(messages)
      if (info.errors.length > 0 && !page.isClosed()) {
        await info.attach('page.png', { body: await page.screenshot() })
      }
      expect(messages, 'the browser console').toEqual([])
    },
    { auto: true },
  ],
})

/** Playwright's own message in a test without the service worker. */
const BLOCKED_WORKER = 'Service Worker registration blocked by Playwright'

/** Collects the page's console errors and warnings, and its uncaught errors, from now on. */
function consoleOf(page: Page): string[] {
  const messages: string[] = []
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    if (message.text() !== BLOCKED_WORKER)
      messages.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => messages.push(error.message))
  return messages
}

/**
 * Chooses a radio button, whose input lies unseen behind its label. A page that is still loading may move it away
 * before the press: then it is pressed again.
 */
export async function choose(radio: Locator): Promise<void> {
  await expect(() => radio.check({ force: true, timeout: 5_000 })).toPass()
}

/**
 * The texts of all toasts of a page, also of earlier documents; `expected`: how many of them come before the next that
 * a test may expect.
 */
type Toasts = { texts: string[]; expected: number }

const toasts = new WeakMap<Page, Toasts>()

function toastsOf(page: Page): Toasts {
  const pageToasts = toasts.get(page) ?? { texts: [], expected: 0 }
  toasts.set(page, pageToasts)
  return pageToasts
}

/** Keeps the text of each toast of a context's pages, because a toast may disappear before a test looks. */
async function keepToasts(context: BrowserContext): Promise<void> {
  await context.exposeBinding('keepToast', ({ page }, text: string) => {
    toastsOf(page).texts.push(text)
  })
  await context.addInitScript(`{
    let shown = ''
    new MutationObserver(() => {
      const toast = document.querySelector('body > [role=status]')
      const text = (toast?.textContent ?? '').replaceAll('\\u00a0', ' ')
      if (text !== '' && text !== shown) window.keepToast(text)
      shown = text
    }).observe(document, { childList: true, subtree: true, characterData: true })
  }`)
}

/** Waits until a page has shown a toast, after the one that was expected before. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const pageToasts = toastsOf(page)
  const isIt = (each: string) => (typeof text === 'string' ? each === text : text.test(each))
  const position = () =>
    pageToasts.texts.findIndex((each, at) => at >= pageToasts.expected && isIt(each))
  await expect.poll(position, `a toast: ${text}`).toBeGreaterThanOrEqual(0)
  pageToasts.expected = position() + 1
}

/** How long a step of a test waits for anything. No test uses its time-out to check speed. */
export const PATIENCE_MS = 30_000

/**
 * A condition in a page: its window shows no part that is still loading, and no placeholder before the app runs. Below
 * the end of a list that has more pages there is always a placeholder.
 */
export const NOTHING_LOADS = `![...document.querySelectorAll('.boot-page, [class*="bone"]')]
  .map((part) => part.getBoundingClientRect())
  .some(({ top, bottom }) => top < innerHeight && bottom > 0)`

/** A program for a page that looks at each frame until a condition holds in two of them, one after the other. */
export function untilTrue(condition: string): string {
  return `(async () => {
    const began = performance.now()
    for (let frames = 0; frames < 2; frames = ${condition} ? frames + 1 : 0) {
      if (performance.now() - began > ${PATIENCE_MS}) throw new Error(${JSON.stringify(condition)})
      await new Promise(requestAnimationFrame)
    }
  })()`
}

/** Waits until nothing that the window shows is still loading. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.evaluate(untilTrue(NOTHING_LOADS))
}

/** A tab of the app's main screens. Other links may bear its name within a longer one. */
export function tab(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Main screens' }).getByRole('link', { name })
}

/** Gives every page of a browser context a language, as if chosen on the language screen. */
export async function speak(context: BrowserContext, lang: Language): Promise<void> {
  await context.addInitScript(
    ({ locale, localetype }) => {
      localStorage.setItem('locale', locale)
      localStorage.setItem('localetype', localetype)
    },
    { locale: lang, localetype: LOCALE_TYPES[lang] },
  )
}

export type Language = keyof typeof LOCALE_TYPES

/** The number that the app stores for each language. */
export const LOCALE_TYPES = {
  en: '3',
  zh: '1',
  'zh-TW': '2',
  ja: '4',
  ko: '5',
  vi: '6',
  id: '7',
} as const

/** A player's session, as the server has given it. */
export type Session = {
  token: string
  user_id: number
  id: number
  money: string
  group_id: number
}

/** Gives every page of a browser context a player's session and a language. */
export async function actAs(
  context: BrowserContext,
  player: Session,
  lang: Language = 'en',
): Promise<void> {
  await speak(context, lang)
  await context.addInitScript((player) => {
    sessionStorage.setItem('token', player.token)
    sessionStorage.setItem('userId', String(player.user_id))
    sessionStorage.setItem('id', String(player.id))
    sessionStorage.setItem('money', player.money)
    sessionStorage.setItem('group_id', String(player.group_id))
  }, player)
}

/** Moves a finger down from the middle of the screen, one step a frame, so that the page answers each. */
export async function pullDown(page: Page): Promise<void> {
  // The loader lies over the first screen for a moment, and would take the finger.
  await expect(page.locator('#boot')).toHaveCount(0)
  const session = await page.context().newCDPSession(page)
  const at = (y: number) => ({ touchPoints: [{ x: 195, y }] })
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(300) })
  for (let y = 320; y <= 560; y += 20) {
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(y) })
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

/** Signs a player in by his name and the password of all players of tests. */
export async function logIn(
  page: Page,
  name: string,
  { remember = false }: { remember?: boolean } = {},
): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username or email').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  if (remember) await page.getByRole('checkbox', { name: 'Remember me' }).check()
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page).not.toHaveURL(/login/)
}

/** The contents of a storage of the page. */
export function stored(page: Page, storage: 'session' | 'local'): Promise<Record<string, string>> {
  return page.evaluate(`({ ...${storage}Storage })`)
}

/** The password of all players of tests. */
export const PASSWORD = 'a long enough passphrase'

/** Times at which a page requested a path. */
export function requestTimes(page: Page, path: string): number[] {
  const times: number[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) times.push(Date.now())
  })
  return times
}

/** Waits until a page's stream of the games is open. */
export async function untilStreaming(page: Page, address: string): Promise<void> {
  const opened = page.waitForResponse(/Lottery\/gamesStream/)
  await page.goto(address)
  expect((await opened).status()).toBe(200)
}

/** Gives the browser a phone's authenticator, whose owner always says yes. */
export async function giveAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, authenticatorId }
}

/**
 * Gives the browser a push service, which no headless one has, and a user who allows messages when he is asked. What the
 * service knows outlives a page.
 */
export async function givePushService(context: BrowserContext): Promise<void> {
  const keys = {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  const first = `https://push.example/${randomBytes(8).toString('hex')}`
  await context.addInitScript(`{
    const kept = (name) => localStorage.getItem('test:' + name)
    Object.defineProperty(Notification, 'permission', { get: () => kept('permission') ?? 'default' })
    Notification.requestPermission = async () => {
      localStorage.setItem('test:permission', 'granted')
      return 'granted'
    }
    const subscription = (endpoint) => endpoint && {
      endpoint,
      toJSON: () => ({ endpoint, keys: ${JSON.stringify(keys)} }),
      unsubscribe: async () => localStorage.removeItem('test:endpoint'),
    }
    PushManager.prototype.getSubscription = async () => subscription(kept('endpoint'))
    PushManager.prototype.subscribe = async () => {
      if (!kept('endpoint')) localStorage.setItem('test:endpoint', '${first}')
      return subscription(kept('endpoint'))
    }
  }`)
}

/** The address of the browser's subscription at that push service, or null. */
export function pushEndpointIn(page: Page): Promise<string | null> {
  return page.evaluate(`localStorage.getItem('test:endpoint')`)
}
