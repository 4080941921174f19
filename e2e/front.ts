/**
 * A proxy in front of a server that a test can close, or let serve another build of the app: the
 * same one with every script renamed, as after an update that changes them all.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Front = {
  readonly url: string
  /** Serves the built app unchanged, or as another build. */
  serveBuild(build: 'first' | 'second'): void
  /** Removes all files of the first build, as most updates of a server do. */
  forgetFirstBuild(): void
  /** With what pages are answered, such as 503 while a server starts; everything else is answered. Null: as usual. */
  breakPages(status: number | null): void
  /** Stops answering, as without a network. */
  shut(): Promise<void>
  open(): Promise<void>
}

/** @param behind the address of what it stands in front of */
export async function openFront(behind: string): Promise<Front> {
  const listed = readFileSync(new URL('../apps/web/dist/sw.js', import.meta.url), 'utf8')
  const scripts = [...listed.matchAll(/"assets\/([\w.-]+)\.js"/g)].map((match) => match[1] ?? '')
  if (scripts.length === 0) throw new Error('the app is not built: its worker lists no script')
  const spelt = new RegExp(
    `\\b(${scripts.map((name) => name.replaceAll('.', '\\.')).join('|')})\\.js\\b`,
    'g',
  )
  const ofFirst = new Set(scripts.map((name) => `/assets/${name}.js`))
  let build: 'first' | 'second' = 'first'
  let firstForgotten = false
  let pagesBroken: number | null = null
  let server = createServer(answer)
  await listen(0)
  const { port } = server.address() as AddressInfo

  /** Another program may have the port for a moment while this one is shut. */
  async function listen(at: number): Promise<void> {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening').catch(async () => {
      await new Promise((later) => setTimeout(later, 200))
      await listen(at)
    })
  }

  function answer(incoming: IncomingMessage, reply: ServerResponse): void {
    if (pagesBroken && incoming.headers['sec-fetch-mode'] === 'navigate') {
      reply.writeHead(pagesBroken).end()
      return
    }
    const isOfFirst = ofFirst.has(incoming.url ?? '')
    const changed = build === 'second' && !isOfFirst
    if (firstForgotten && isOfFirst) {
      reply.writeHead(404).end()
      return
    }
    const path = changed ? incoming.url?.replace(/-second\.js$/, '.js') : incoming.url
    // The builds have the same file times, so a cached file of one could pass for the other's.
    const { 'if-none-match': _, 'if-modified-since': __, ...headers } = incoming.headers
    const passed = request(
      behind + path,
      { method: incoming.method, headers: { ...headers, 'accept-encoding': 'identity' } },
      (got) => {
        const type = got.headers['content-type'] ?? ''
        if (!changed || !/html|javascript/.test(type)) {
          reply.writeHead(got.statusCode ?? 502, got.headers)
          got.pipe(reply)
          return
        }
        let text = ''
        got.setEncoding('utf8')
        got.on('data', (chunk) => {
          text += chunk
        })
        got.on('end', () => {
          const body = text.replace(spelt, '$1-second.js')
          const { 'content-length': _length, ...rest } = got.headers
          reply.writeHead(got.statusCode ?? 502, rest)
          reply.end(body)
        })
      },
    )
    passed.on('error', () => reply.destroy())
    reply.on('close', () => passed.destroy())
    incoming.pipe(passed)
  }

  return {
    url: `http://127.0.0.1:${port}`,
    serveBuild: (which) => {
      build = which
    },
    forgetFirstBuild: () => {
      firstForgotten = true
    },
    breakPages: (status) => {
      pagesBroken = status
    },
    shut: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
    open: () => {
      server = createServer(answer)
      return listen(port)
    },
  }
}
