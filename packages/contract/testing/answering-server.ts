/** A real HTTP server on a free local port. A test writes its replies, one for each request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Received = {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
}

/** Answers the request with this number, from 1; without an answer the client waits forever. */
export type Answer = (response: ServerResponse, number: number) => void

export type AnsweringServer = {
  base: string
  received: Received[]
  close: () => Promise<void>
}

/** Starts a server, which ends with the test; `received` holds the requests in order. */
export async function startAnsweringServer(answer: Answer): Promise<AnsweringServer> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({
      method: request.method ?? '',
      url: new URL(request.url ?? '', 'http://test'),
      headers: request.headers,
      body,
    })
    answer(response, received.length)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  onTestFinished(close)
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close }
}

/** Sends an envelope, or any other JSON, with an HTTP status. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

export const SUCCESS = { code: 1, msg: 'done', time: '1790000000', data: null }
