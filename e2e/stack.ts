/** The real stack for browser tests: the server as `npm start` runs it, on a data folder of its own. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, test as base, expect } from '@playwright/test'

const SERVER = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url))

/** Rounds short enough to see one end, long enough to bet in. */
const ROUND = { ROUND_SECONDS: '24', SEAL_SECONDS: '6' }

export type Stack = { url: string }

export const test = base.extend<{ console: string[] }, { stack: Stack }>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from a pattern
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'sum28-e2e-'))
      const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SERVER], {
        env: {
          ...process.env,
          ...ROUND,
          DATA_DIR: dataDir,
          PORT: '0',
          LOG_LEVEL: 'error',
          RATE_LIMITS: 'off',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const url = await new Promise<string>((resolve, reject) => {
        let said = ''
        server.stdout.on('data', (chunk: Buffer) => {
          said += chunk
          const address = /App\s+(http:\/\/\S+)/.exec(said)?.[1]
          if (address) resolve(address)
        })
        server.on('exit', () => reject(new Error(`the server ended: ${said}`)))
      })
      await use({ url })
      const ended = new Promise((done) => server.on('exit', done))
      server.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ stack }, use) => use(stack.url),
  // A page that complains in its console has failed, whatever it shows.
  console: [
    async ({ page }, use) => {
      const said: string[] = []
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) said.push(message.text())
      })
      page.on('pageerror', (error) => said.push(error.message))
      await use(said)
      expect(said, 'the browser console').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** The code in the latest mail to an address, as the demo captures it. */
export async function mailedCode(stack: Stack, email: string): Promise<string> {
  let code: string | undefined
  await expect(async () => {
    const mails = (await (await fetch(`${stack.url}/dev/mail`)).json()) as {
      to: string
      subject: string
    }[]
    code = /\d{6}/.exec(mails.find(({ to }) => to === email)?.subject ?? '')?.[0]
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
  const { data } = await post(stack, '/api/user/register', {
    ...{ username, email, code, password: 'a long enough passphrase', group_id: 1, adult: true },
  })
  return (data as { userinfo: Player }).userinfo
}

/** Gives every page of a browser context a player's session and a language. */
export async function actAs(
  context: BrowserContext,
  player: Player,
  lang: Language,
): Promise<void> {
  await context.addInitScript(
    ({ player, locale, localetype }) => {
      sessionStorage.setItem('token', player.token)
      sessionStorage.setItem('userId', String(player.user_id))
      sessionStorage.setItem('id', String(player.id))
      sessionStorage.setItem('money', player.money)
      sessionStorage.setItem('group_id', String(player.group_id))
      localStorage.setItem('locale', locale)
      localStorage.setItem('localetype', localetype)
    },
    { player, locale: lang, localetype: LOCALE_TYPES[lang] },
  )
}

export type Language = keyof typeof LOCALE_TYPES

/** The choice that the app stores beside each language. */
export const LOCALE_TYPES = {
  en: '3',
  zh: '1',
  'zh-TW': '2',
  ja: '4',
  ko: '5',
  vi: '6',
  id: '7',
} as const

async function post(stack: Stack, path: string, body: object): Promise<{ data: unknown }> {
  const response = await fetch(stack.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { data: unknown }
}
