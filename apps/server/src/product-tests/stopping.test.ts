/**
 * Goal: a process ends soon after a signal, whatever its database and its mail server do.
 * Method: the real process, as `npm start` runs it. The limit is far above the product's own, for a busy machine, and
 * far below what a silent database would take.
 */
import { mkdtempSync } from 'node:fs'
import { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendCode } from '@sum28/contract/user-routes.ts'
import { expect, it, onTestFinished } from 'vitest'
import { untilUnasked } from '#src/http/serve-product.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { startSilentServer } from '#testing/hosts/mail-server.ts'
import { startTcpProxy } from '#testing/hosts/tcp-proxy.ts'
import { SECRET_KEY } from '#testing/product/secret-key.ts'
import { startServer } from '#testing/product/started-server.ts'
import { eventually } from '#testing/product/test-app.ts'

const ENDS_WITHIN_MS = 20_000

async function start(databaseUrl: string, environment: Record<string, string> = {}) {
  const starting = startServer(mkdtempSync(join(tmpdir(), 'sum28-stopping-')), {
    ...{ DATABASE_URL: databaseUrl, SECRET_KEY, LOG_LEVEL: 'silent' },
    ...environment,
  })
  onTestFinished(async () => (await starting).stop())
  const server = await starting
  return {
    url: server.url,
    /** Sends the signal; returns how long the process took to end, in milliseconds. */
    async stop() {
      const began = performance.now()
      await server.stop()
      return performance.now() - began
    },
  }
}

it('a process whose database is silent ends all the same', async () => {
  const database = await createTestDatabase()
  const proxy = await startTcpProxy(database.ownerUrl)
  const server = await start(proxy.url)
  const waits = proxy.swallowed()
  proxy.silenceAll(true)
  // Somebody asks the database, and waits for it.
  await waits
  expect(await server.stop()).toBeLessThan(ENDS_WITHIN_MS)
})

it('a process whose mail server is silent ends all the same, and leaves the mail to the next', async () => {
  const { ownerUrl, owner } = await createTestDatabase()
  const server = await start(ownerUrl, { SMTP_URL: await startSilentServer() })
  const body = JSON.stringify({
    ...{ email: 'ann@example.org', event: 'register' },
    ...{ lang: 'en', host: 'a' },
  })
  const headers = { 'Content-Type': 'application/json' }
  await fetch(server.url + sendCode.path, { method: 'POST', headers, body })
  const mails = () =>
    owner.query<{ locked: boolean; left: boolean }>(
      `select locked_at is not null as locked, attempts < max_attempts as left from graphile_worker.jobs
       where task_identifier = 'send-mail'`,
    )
  await eventually(async () => (await mails()).find(({ locked }) => locked))
  expect(await server.stop()).toBeLessThan(ENDS_WITHIN_MS)
  expect(await mails()).toEqual([{ locked: false, left: true }])
})

it.each([
  ['/readyz', 1_000],
  ['/api/index/index', 5_000],
])('a process that is asked for %s ten times a second is drained in %i ms', async (url, ms) => {
  const server = new Server()
  let moment = 0
  const wait = async (pause: number) => {
    const end = moment + pause
    for (; moment < end; moment = Math.min(moment + 100, end)) server.emit('request', { url })
  }
  await untilUnasked({ server }, { now: () => moment, wait })
  expect(moment).toBe(ms)
})
