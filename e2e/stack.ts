/** The real stack for browser tests: the server as `npm start` runs it, on a database and a data folder of its own. */

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
} from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { cloneTemplate, type TestDatabase } from '../apps/server/testing/cloned-database.ts'
import { giveMoney } from '../apps/server/testing/fixtures.ts'
import { TRUE_SCHEDULE, timeOf } from '../apps/server/testing/play-round.ts'
import { makeServerFolder } from '../apps/server/testing/server-folder.ts'
import { type StartedServer, startServer } from '../apps/server/testing/started-server.ts'
import { databaseServer } from './database-server.ts'

export type Stack = Pick<StartedServer, 'url' | 'dataDir'> & { readonly database: TestDatabase }

const HOUR_MS = 3_600_000
const HOUR_BEGAN_AT = Date.now() - (Date.now() % HOUR_MS)

/**
 * In this time zone it is six o'clock. A browser's clock is real: it shows the day of the stack's rounds, which begin at
 * ten, and is behind them.
 */
const TIME_ZONE = zoneAhead((30 - new Date(HOUR_BEGAN_AT).getUTCHours()) % 24)

/** The time zone that is so many hours ahead of UTC, or a day less; its name has the opposite sign. */
function zoneAhead(hours: number): string {
  return hours > 14 ? `Etc/GMT+${24 - hours}` : `Etc/GMT-${hours}`
}

/**
 * Starts a stack on the product's true schedule, twenty seconds after the first rounds of the day, with the settings in
 * which a test differs. Its time is in the test's hands by `stack.database`.
 */
export async function startStack(
  otherwise: Record<string, string> = {},
): Promise<Stack & { stop(): Promise<void> }> {
  const database = await cloneTemplate(databaseServer())
  await database.moveClock(HOUR_BEGAN_AT + 4 * HOUR_MS + 20_000)
  const server = await startServer(makeServerFolder(), {
    ...TRUE_SCHEDULE,
    GAME_TIMEZONE: TIME_ZONE,
    DATABASE_URL: database.ownerUrl,
    ...otherwise,
  })
  return {
    ...{ url: server.url, dataDir: server.dataDir, database },
    async stop() {
      await server.stop()
      await database.drop()
    },
  }
}

export const test = base.extend<{ console: string[] }, { stack: Stack }>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern.
    async ({}, use) => {
      const stack = await startStack()
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 60_000 },
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

export { expect }

/** Playwright's own message in a test without the service worker. */
const BLOCKED_WORKER = 'Service Worker registration blocked by Playwright'

/** Collects the page's console errors and warnings, and its uncaught errors, from now on. */
export function consoleOf(page: Page): string[] {
  const messages: string[] = []
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
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

/** Registers a member who has money, as if he had deposited it. */
export async function richMember(stack: Stack, username: string, u: number): Promise<Player> {
  const member = await registerMember(stack, username)
  await giveMoney(stack.database.owner, { playerId: member.user_id, u })
  return member
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

/** Signs in one of the demo's staff and returns the token. */
export async function signInStaff(stack: Stack, name: 'owner' | 'finance'): Promise<string> {
  const file = JSON.parse(readFileSync(join(stack.dataDir, 'demo-staff.json'), 'utf8')) as Staff & {
    others: Staff[]
  }
  const person = [file, ...file.others].find((each) => each.name === name)
  if (!person) throw new Error(`demo-staff.json has no ${name}`)
  const totp = await freshCode(stack, person.totp_secret)
  const reply = await post(stack, '/api/staff/login', {
    ...{ account: name, password: person.password, totp },
  })
  return (reply.data as { token: string }).token
}

const STEP_MS = 30_000
/** Each code is good once: the last step of time whose code was used, by its secret. */
const usedStep = new Map<string, number>()

/** A code that was not used yet. Moves the clock where the server would not take the next one yet. */
export async function freshCode(stack: Stack, secret: string): Promise<string> {
  const now = await timeOf(stack)
  const step = Math.max(Math.floor(now / STEP_MS), (usedStep.get(secret) ?? 0) + 1)
  usedStep.set(secret, step)
  if (step * STEP_MS > now) await stack.database.moveClock(step * STEP_MS)
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: step * STEP_MS })
}

type Staff = { name: string; password: string; totp_secret: string }

/** Calls the API, with a token if given. */
export async function post(
  stack: Stack,
  path: string,
  body: object,
  token?: string,
): Promise<{ code: number; data: unknown }> {
  const response = await fetch(stack.url + path, {
    method: 'POST',
    headers: {
      ...{ 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
      ...(token ? { Token: token } : {}),
    },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { code: number; data: unknown }
}
