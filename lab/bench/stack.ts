/** The real server on its own data folder, with members who have a balance, for a bench over HTTP. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type StartedServer, startServer } from '@sum28/server/testing/started-server.ts'

/** Rounds that are almost always open. */
const ROUND = { ROUND_SECONDS: '60', SEAL_SECONDS: '1' }

export type Stack = StartedServer

/** @param environment settings that differ from the usual ones */
export function startStack(environment: Record<string, string> = {}): Promise<Stack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sum28-bench-'))
  return startServer(dataDir, { ...ROUND, ...environment })
}

export type Member = {
  token: string
  user_id: number
  id: number
  money: string
  group_id: number
}

/** Registers a member with the mailed code. */
async function register(
  stack: Stack,
  username: string,
  headers: Record<string, string> = {},
): Promise<Member> {
  const email = `${username}@example.org`
  await post(stack, '/api/ems/send', { email, event: 'register' }, headers)
  const code = await eventually(async () => {
    const reply = await fetch(`${stack.url}/dev/mail`)
    if (!reply.ok) {
      // Too busy now.
      await reply.body?.cancel()
      return undefined
    }
    const mails = (await reply.json()) as { to: string; subject: string }[]
    return /\d{6}/.exec(mails.find(({ to }) => to === email)?.subject ?? '')?.[0]
  })
  const account = { username, email, code, password: 'a long enough passphrase' }
  const registration = { ...account, group_id: 1, adult: true }
  return (await post(stack, '/api/user/register', registration, headers)).userinfo as Member
}

/** Registers a member, and sends him test USDT until it is in his balance. */
export async function addMember(
  stack: Stack,
  username: string,
  headers: Record<string, string> = {},
): Promise<Member> {
  const member = await register(stack, username, headers)
  const own = { ...headers, Token: member.token }
  const { usdt } = await post(stack, '/api/user/recharge', {}, own)
  const sent = await send(stack, '/dev/chain/transfer', { to: usdt, amount: 1_000_000 })
  if (!sent.ok) throw new Error(`the transfer was refused: ${await sent.text()}`)
  await eventually(async () => {
    const { money } = await post(stack, '/api/user/userInfo', {}, own)
    return Number(money) > 0 || undefined
  })
  return member
}

/**
 * Calls the API and returns the reply's data. Throws on a refusal; where the server has no time for the call, as on a
 * busy machine, it is sent again with the same key.
 */
export async function post(
  stack: Stack,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const response = await send(stack, path, body, { 'Idempotency-Key': randomUUID(), ...headers })
  const reply = (await response.json()) as { code: number; msg: string; data: unknown }
  if (reply.code !== 1) throw new Error(`${path}: ${reply.msg}`)
  return (reply.data ?? {}) as Record<string, unknown>
}

/** Sends a request, again for as long as the server has no time for it. */
function send(
  stack: Stack,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return eventually(async () => {
    const response = await fetch(stack.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (response.status !== 503) return response
    await response.body?.cancel()
    return undefined
  })
}

/** Repeats until there is a value; throws after ten minutes, which is only an end for what hangs. */
export async function eventually<Value>(ask: () => Promise<Value | undefined>): Promise<Value> {
  for (const until = performance.now() + 600_000; performance.now() < until; await sleep(100)) {
    const value = await ask()
    if (value !== undefined) return value
  }
  throw new Error('it did not happen within ten minutes')
}
