/**
 * Goal: a process ends soon after a signal, whatever its database does. Of a silent mail server: worker.test.ts.
 * Method: the real process, as `npm start` runs it. The limit is far above the product's own, for a busy machine, and
 * far below what a silent database would take.
 */
import { Server } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { untilUnasked } from '#src/http/serve-product.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { startTcpProxy } from '#testing/hosts/tcp-proxy.ts'
import { SECRET_KEY } from '#testing/product/secret-key.ts'
import { startServer } from '#testing/product/started-server.ts'

const ENDS_WITHIN_MS = 20_000

it('a process whose database is silent ends all the same', async () => {
  const database = await createTestDatabase()
  const proxy = await startTcpProxy(database.ownerUrl)
  const server = await startServer(temporaryFolder(), {
    DATABASE_URL: proxy.url,
    SECRET_KEY,
    LOG_LEVEL: 'silent',
  })
  onTestFinished(() => server.stop())
  const waits = proxy.swallowed()
  proxy.silenceAll(true)
  // Somebody asks the database, and waits for it.
  await waits
  const began = performance.now()
  await server.stop()
  expect(performance.now() - began).toBeLessThan(ENDS_WITHIN_MS)
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
