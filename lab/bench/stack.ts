/** The real server on its own data folder, for a bench over HTTP. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { metricIn } from '@sum28/server/testing/product/captured-log.ts'
import { type StartedServer, startServer } from '@sum28/server/testing/product/started-server.ts'

export function startStack(environment: Record<string, string>): Promise<StartedServer> {
  return startServer(mkdtempSync(join(tmpdir(), 'sum28-bench-')), environment)
}

type Served = { url: string }

/**
 * Calls the API and returns the reply's data. Throws on a refusal; where the server has no time for the call, as on a
 * busy machine, it is sent again with the same key.
 */
export async function post(
  { url }: Served,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const request = {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
      ...headers,
    },
    body: JSON.stringify(body),
  }
  let response = await fetch(url + path, request)
  for (; response.status === 503; response = await fetch(url + path, request)) {
    await response.body?.cancel()
    await sleep(100)
  }
  const reply = (await response.json()) as { code: number; msg: string; data: unknown }
  if (reply.code !== 1) throw new Error(`${path}: ${reply.msg}`)
  return (reply.data ?? {}) as Record<string, unknown>
}

/** A metric of a running product, by its name and labels as they are written at /metrics. */
export async function readMetric({ url }: Served, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return metricIn(text, name) ?? Number.NaN
}
