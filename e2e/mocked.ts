/**
 * Browser tests without a server: the built app, served as in production, on the mock that is made from the contract.
 * Each test has its own mock, which answers with {@link answerFully} until the test says otherwise.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { httpServer } from '../apps/server/src/http/server.ts'
import { serveApps } from '../apps/server/src/http/static-apps.ts'
import { captureLog } from '../apps/server/testing/product/captured-log.ts'
import { type ContractMock, mockContract } from '../apps/web/src/testing/contract-mock.ts'
import { test as base } from './browser.ts'
import { answerFully } from './full-replies.ts'

type Files = (request: IncomingMessage, reply: ServerResponse) => void

export const test = base.extend<{ mock: ContractMock; url: string }, { files: Files }>({
  files: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern.
    async ({}, use) => {
      const server = await httpServer({ log: captureLog('error').log, secure: false, origins: [] })
      await serveApps(server)
      await server.ready()
      await use((request, reply) => server.routing(request, reply))
      await server.close()
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern.
  mock: async ({}, use) => {
    const mock = mockContract()
    answerFully(mock)
    await use(mock)
    base.expect(mock.faults, 'calls and replies that the contract does not have').toEqual([])
  },
  url: async ({ mock, files }, use) => {
    const server = createServer((request, reply) => {
      if (request.url?.startsWith('/api/')) void answer(mock, request, reply)
      else files(request, reply)
    })
    const port = await listening(server)
    await use(`http://127.0.0.1:${port}`)
    server.closeAllConnections()
    server.close()
  },
  baseURL: async ({ url }, use) => use(url),
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
    ...{ method, headers: headers as Record<string, string>, signal },
    ...(body as RequestInit),
  })
}
