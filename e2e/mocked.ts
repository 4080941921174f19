/**
 * Browser tests without a server: the built app, served as in production, on the mock that is made from the contract.
 * Each test has its own mock, which answers with {@link answerFully} until the test says otherwise.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { httpServer } from '../apps/server/src/http/server.ts'
import { serveApps } from '../apps/server/src/http/static-apps.ts'
import { captureLog } from '../apps/server/testing/product/captured-log.ts'
import { type ContractMock, mockContract } from '../apps/web/src/testing/contract-mock.ts'
import { test as base } from './browser.ts'
import { answerFully } from './full-replies.ts'

/** One origin a worker: a page that its tests share finds the app's files in its cache. */
type Origin = { url: string; serve: (next: Served) => void }

type Served = { mock: ContractMock; workerStores: WorkerStores }

/** What the service worker stores when it is installed: to store each of the build's files takes seconds. */
type WorkerStores = 'all files' | 'the first page'

type OfTest = { mock: ContractMock; url: string; workerStores: WorkerStores }

export const test = base.extend<OfTest, { origin: Origin }>({
  workerStores: ['all files', { option: true }],
  origin: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern.
    async ({}, use) => {
      const app = await httpServer({ log: captureLog('error').log, secure: false, origins: [] })
      await serveApps(app, null)
      await app.ready()
      let served: Served = { mock: mockContract(), workerStores: 'all files' }
      const server = createServer((request, reply) => {
        const isWorker = request.url === '/sw.js' && served.workerStores === 'the first page'
        if (request.url?.startsWith('/api/')) void answer(served.mock, request, reply)
        else if (isWorker) reply.setHeader('Content-Type', 'text/javascript').end(LIGHT_WORKER)
        else app.routing(request, reply)
      })
      const url = `http://127.0.0.1:${await listening(server)}`
      await use({ url, serve: (next) => (served = next) })
      server.closeAllConnections()
      server.close()
      await app.close()
    },
    { scope: 'worker' },
  ],
  mock: async ({ origin, workerStores }, use) => {
    const mock = mockContract()
    answerFully(mock)
    origin.serve({ mock, workerStores })
    await use(mock)
    base.expect(mock.faults, 'calls and replies that the contract does not have').toEqual([])
  },
  url: async ({ origin, mock: _ }, use) => use(origin.url),
  baseURL: async ({ url }, use) => use(url),
})

const BUILT = (file: string) =>
  readFileSync(new URL(`../apps/web/dist/${file}`, import.meta.url), 'utf8')

const LIGHT_WORKER = BUILT('sw.js').replace(/\[\{"revision".*?\}\]/, (list) => {
  const page = BUILT('index.html')
  const files = JSON.parse(list) as { url: string }[]
  return JSON.stringify(files.filter(({ url }) => !url.startsWith('assets/') || page.includes(url)))
})

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** How often an open stream is kept alive, as by the server. */
const PING_MS = 1_500

async function answer(
  mock: ContractMock,
  incoming: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const left = new AbortController()
  reply.on('close', () => left.abort())
  try {
    const response = await mock.fetch(requestOf(incoming, left.signal))
    reply.writeHead(response.status, Object.fromEntries(response.headers))
    if (!response.body) return void reply.end()
    const isStream = response.headers.get('Content-Type') === 'text/event-stream'
    const pings = setInterval(() => isStream && reply.write(': ping\n\n'), PING_MS)
    try {
      for await (const bytes of response.body) reply.write(bytes)
    } finally {
      clearInterval(pings)
    }
    reply.end()
  } catch {
    // The test has cut the call off, or the page has left.
    reply.destroy()
  }
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', headers, url = '/' } = incoming
  const body = method === 'GET' ? {} : { body: Readable.toWeb(incoming), duplex: 'half' }
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: headers as Record<string, string>,
    signal,
    ...(body as RequestInit),
  })
}
