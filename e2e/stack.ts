/** Browser tests over the real stack: its players, its mail, its staff, and calls of its API. */
import { randomUUID } from 'node:crypto'
import { addSeatedPlayer } from '../apps/server/testing/people/seated-player.ts'
import { staffToken } from '../apps/server/testing/people/staff.ts'
import { test as base, expect, PASSWORD, type Session } from './browser.ts'
import { type Stack, sharedStack, startStack } from './start-stack.ts'

export { type Stack, startStack }

/** `movesClock`: each worker has a stack of its own; otherwise all share one, whose clock stands still. */
export type StackOptions = { movesClock: boolean }

export const test = base.extend<object, StackOptions & { stack: Stack }>({
  movesClock: [false, { option: true, scope: 'worker' }],
  stack: [
    async ({ movesClock }, use) => {
      const stack = movesClock ? await startStack() : sharedStack()
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ stack }, use) => use(stack.url),
})

export type Player = Session & { name: string }

/** A member with a session and some u, as if he had deposited them. He has no password. */
export async function seat(
  { database }: Stack,
  { u = 0, name = `p${randomUUID().slice(0, 8)}` }: { u?: number; name?: string } = {},
): Promise<Player> {
  const { id, token } = await addSeatedPlayer(database, { u, name })
  return { name, token, user_id: id, id, money: u.toFixed(2), group_id: 1 }
}

/** Registers a member with a password over the API. */
export async function registerMember(stack: Stack): Promise<Player> {
  const name = `p${randomUUID().slice(0, 8)}`
  const email = `${name}@example.org`
  await post(stack, '/api/ems/send', { email, event: 'register' })
  const code = await mailedCode(stack, email)
  const { data } = await post(stack, '/api/user/register', {
    username: name,
    email,
    code,
    password: PASSWORD,
    group_id: 1,
    adult: true,
  })
  return { ...(data as { userinfo: Session }).userinfo, name }
}

/** The code in the latest captured mail to an address; mail goes to the canonical form. */
export async function mailedCode(stack: Stack, email: string): Promise<string> {
  return /\d{6}/.exec(await mailed(stack, email, /\d{6}\n/))?.[0] ?? ''
}

/** Subject and text of the latest captured mail to an address that has these words; waits until it is there. */
export async function mailed(stack: Stack, email: string, words: RegExp): Promise<string> {
  let found: string | undefined
  await expect(async () => {
    const mails = (await (await fetch(`${stack.url}/dev/mail`)).json()) as {
      to: string
      subject: string
      text: string
    }[]
    found = mails
      .filter(({ to }) => to === email.toLowerCase())
      .map(({ subject, text }) => `${subject}\n${text}`)
      .find((mail) => words.test(mail))
    expect(found).toBeDefined()
  }).toPass()
  return found ?? ''
}

/** Counts finished rounds for the console's figures, as a job does each minute. */
export async function countRounds({ database }: Stack): Promise<void> {
  await database.owner.query('select console_start.count_rounds(25)')
}

/** A session of one of the demo's staff. */
export function sessionOfStaff({ database }: Stack, name: string): Promise<string> {
  return staffToken(database, { name })
}

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
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
      ...(token ? { Token: token } : {}),
    },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { code: number; data: unknown }
}
