/** The real server on its own data folder, for a bench over HTTP. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type StartedServer, startServer } from '@sum28/server/testing/product/started-server.ts'

export type Stack = StartedServer

export function startStack(environment: Record<string, string>): Promise<Stack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sum28-bench-'))
  return startServer(dataDir, environment)
}

/**
 * Calls the API and returns the reply's data. Throws on a refusal; where the server has no time for the call, as on a
 * busy machine, it is sent again with the same key.
 */
export async function post(
  stack: Pick<Stack, 'url'>,
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
  stack: Pick<Stack, 'url'>,
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

/** What a running product says of itself at /metrics: the value of each metric, by its name and labels as written there. */
export async function readMetrics({ url }: Pick<Stack, 'url'>): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}
