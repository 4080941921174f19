/** The real stack for browser tests: the server as `npm start` runs it, on its own data folder. */

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
} from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { LONG_ROUNDS } from '../apps/server/testing/long-rounds.ts'
import { makeServerFolder } from '../apps/server/testing/server-folder.ts'
import { type StartedServer, startServer } from '../apps/server/testing/started-server.ts'
import { TEST_TIME_ZONE } from '../apps/server/testing/time-zone.ts'

/** Rounds of which a test sees several. */
const SHORT_ROUNDS = { ROUND_SECONDS: '24', SEAL_SECONDS: '6' }

/** Rounds in which a slow machine can bet on a screen, and of which a test can see the end. */
export const MIDDLE_ROUNDS = { ROUND_SECONDS: '90', SEAL_SECONDS: '30' }

export type Stack = Pick<StartedServer, 'url' | 'dataDir'>

/** Starts a stack with the settings in which a test differs. */
export function startStack(otherwise: Record<string, string> = {}): Promise<StartedServer> {
  return startServer(makeServerFolder(), {
    ...SHORT_ROUNDS,
    GAME_TIMEZONE: TEST_TIME_ZONE,
    ...otherwise,
  })
}

export const test = base.extend<
  { console: string[] },
  { rounds: Record<string, string>; stack: Stack }
>({
  /** The settings of rounds; a file that needs others has a stack of its own. */
  rounds: [{}, { option: true, scope: 'worker' }],
  stack: [
    async ({ rounds }, use) => {
      const stack = await startStack(rounds)
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ stack }, use) => use(stack.url),
  // A page that reports anything in its console has failed.
  console: [
    async ({ page }, use) => {
      await keepToasts(page.context())
      const messages = consoleOf(page)
      await use(messages)
      // A reply that a test is still changing would fail a test that has passed.
      if (!page.isClosed()) {
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.context().unrouteAll({ behavior: 'ignoreErrors' })
      }
      expect(messages, 'the browser console').toEqual([])
    },
    { auto: true },
  ],
})

export { expect, LONG_ROUNDS }

/** Playwright's own message in a test without the service worker. */
const BLOCKED_WORKER = 'Service Worker registration blocked by Playwright'

/** The browser's own line on a call that the server was too busy for: the app makes it again, as a test does. */
function isBusyServer(message: ConsoleMessage): boolean {
  return /status of 503/.test(message.text()) && /\/api\//.test(message.location().url)
}

/** Collects the page's console errors and warnings, and its uncaught errors, from now on. */
export function consoleOf(page: Page): string[] {
  const messages: string[] = []
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type()) || isBusyServer(message)) return
    if (message.text() !== BLOCKED_WORKER)
      messages.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => messages.push(error.message))
  return messages
}

/** The code in the latest captured mail to an address; mail goes to the canonical form. */
export async function mailedCode(stack: Stack, email: string): Promise<string> {
  let code: string | undefined
  await expect(async () => {
    const mails = (await (await fetch(`${stack.url}/dev/mail`)).json()) as {
      to: string
      subject: string
    }[]
    code = /\d{6}/.exec(mails.find(({ to }) => to === email.toLowerCase())?.subject ?? '')?.[0]
    expect(code).toBeDefined()
  }).toPass()
  return code ?? ''
}

export type Player = { token: string; user_id: number; id: number; money: string; group_id: number }

/** Registers a member over the API. */
export async function registerMember(stack: Stack, username: string): Promise<Player> {
  const email = `${username}@example.org`
  await post(stack, '/api/ems/send', { email, event: 'register' })
  const code = await mailedCode(stack, email)
  const reply = await post(stack, '/api/user/register', {
    ...{ username, email, code, password: 'a long enough passphrase', group_id: 1, adult: true },
  })
  return playerOf(reply)
}

/** Registers a visitor over the API. */
export async function registerVisitor(stack: Stack, username: string): Promise<Player> {
  const reply = await post(stack, '/api/user/register', {
    ...{ username, password: 'qwhzxv', group_id: 2 },
  })
  return playerOf(reply)
}

function playerOf(reply: { data: unknown }): Player {
  const { userinfo } = (reply.data ?? {}) as { userinfo?: Player }
  if (!userinfo) throw new Error(`the registration was refused: ${JSON.stringify(reply)}`)
  return userinfo
}

/** Gives every page of a browser context a player's session and a language. */
export async function actAs(
  context: BrowserContext,
  player: Player,
  lang: Language,
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
  const known = toasts.get(page) ?? { texts: [], expected: 0 }
  toasts.set(page, known)
  return known
}

/** Keeps the text of each toast of a context's pages, because a toast may disappear before a test looks. */
async function keepToasts(context: BrowserContext): Promise<void> {
  await context.exposeBinding('keepToast', ({ page }, text: string) => {
    toastsOf(page).texts.push(text)
  })
  await context.addInitScript(`{
    let shown = ''
    new MutationObserver(() => {
      const toast = document.querySelector('[role=status][aria-live=polite]')
      const text = (toast?.textContent ?? '').replaceAll('\\u00a0', ' ')
      if (text !== '' && text !== shown) window.keepToast(text)
      shown = text
    }).observe(document, { childList: true, subtree: true, characterData: true })
  }`)
}

/** The texts of all toasts of a page until now. */
export function toastsSoFar(page: Page): string[] {
  return [...toastsOf(page).texts]
}

/** Waits until a page has shown a toast, after the one that was expected before. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const known = toastsOf(page)
  const isIt = (each: string) => (typeof text === 'string' ? each === text : text.test(each))
  const found = () => known.texts.findIndex((each, at) => at >= known.expected && isIt(each))
  await expect.poll(found, `a toast: ${text}`).toBeGreaterThanOrEqual(0)
  known.expected = found() + 1
}

/** Makes the games' stream send nothing, because it would show the real games. */
export async function silenceGames(page: Page): Promise<void> {
  await page.route(/Lottery\/gamesStream/, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: ': no data\n\n' }),
  )
}

/** Placeholders of a page before the app runs, and of parts that are still loading. */
const UNFINISHED = '.boot-page, [class*="bone"]'

/**
 * Waits until nothing that the window shows is still loading. Below the end of a list that has more
 * pages there is always a placeholder.
 */
export async function untilLoaded(page: Page): Promise<void> {
  const height = page.viewportSize()?.height ?? 0
  const unfinished = () =>
    page.locator(UNFINISHED).evaluateAll(
      (parts, below) =>
        parts.filter((part) => {
          const { top, bottom } = part.getBoundingClientRect()
          return top < below && bottom > 0
        }).length,
      height,
    )
  await expect.poll(unfinished).toBe(0)
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

const staffTokens = new Map<string, Promise<string>>()

/**
 * Signs in one of the demo's staff and returns the token. Later calls return the same token,
 * because a code is valid once in its half minute, and tests are faster than that.
 */
export function signInStaff(stack: Stack, name: 'owner' | 'finance'): Promise<string> {
  const key = `${stack.dataDir} ${name}`
  const known = staffTokens.get(key) ?? signInAnew(stack, name)
  staffTokens.set(key, known)
  return known
}

async function signInAnew(stack: Stack, name: 'owner' | 'finance'): Promise<string> {
  const file = JSON.parse(readFileSync(join(stack.dataDir, 'demo-staff.json'), 'utf8')) as Staff & {
    others: Staff[]
  }
  const person = [file, ...file.others].find((each) => each.name === name)
  if (!person) throw new Error(`demo-staff.json has no ${name}`)
  const totp = await freshCode(person.totp_secret)
  const reply = await post(stack, '/api/staff/login', {
    ...{ account: name, password: person.password, totp },
  })
  return (reply.data as { token: string }).token
}

const STEP_MS = 30_000
/** Each code is good once: the last step of time whose code was used, by its secret. */
const usedStep = new Map<string, number>()

/** A code that was not used yet. Waits where the server would not take the next one yet. */
export async function freshCode(secret: string): Promise<string> {
  const step = Math.max(Math.floor(Date.now() / STEP_MS), (usedStep.get(secret) ?? 0) + 1)
  usedStep.set(secret, step)
  // The server takes a code that is one step early.
  const early = (step - 1) * STEP_MS - Date.now()
  if (early > 0) await new Promise((later) => setTimeout(later, early))
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: step * STEP_MS })
}

type Staff = { name: string; password: string; totp_secret: string }

/** Calls the API, with a token if given. A server that is too busy is asked again, as it says. */
export async function post(
  stack: Stack,
  path: string,
  body: object,
  token?: string,
  key: string = randomUUID(),
): Promise<Reply> {
  const reply = await postOnce(stack, path, body, { token, key })
  const { reason, retry_after: seconds } = (reply.data ?? {}) as Record<string, unknown>
  // A busy server may have carried out what it gave no answer to, or still do so: the key lets it act once.
  const underWay = reason === 'too_many_requests' && Number(seconds) <= 2
  if (reply.code !== 503 && !underWay) return reply
  await new Promise((again) => setTimeout(again, 1_000))
  return post(stack, path, body, token, key)
}

type Reply = { code: number; data: unknown }

async function postOnce(
  stack: Stack,
  path: string,
  body: object,
  { token, key }: { token: string | undefined; key: string },
): Promise<Reply> {
  const response = await fetch(stack.url + path, {
    method: 'POST',
    headers: {
      ...{ 'Content-Type': 'application/json', 'Idempotency-Key': key },
      ...(token ? { Token: token } : {}),
    },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Reply
}
