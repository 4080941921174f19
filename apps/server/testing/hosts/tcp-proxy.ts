/** A proxy between a client and a server that can silence connections without closing them. */
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished, vi } from 'vitest'
import { holdTime } from '../requests/held-time.ts'

/** The direction that a silent connection drops. */
export type Silence = 'requests' | 'answers'

export type TcpProxy = {
  /** The server's address with the proxy in its place. */
  url: string
  /** From now on the open connections drop this direction; later ones do not. */
  silence(what: Silence): void
  /** Open and future connections drop everything to the server, until released. */
  silenceAll(silent: boolean): void
  /** Resolves when the next connection's first bytes have been dropped. */
  swallowed(): Promise<void>
  /** Closes all connections, and accepts no others. */
  close(): void
  readonly open: number
}

/** Starts a proxy for the server of a URL; it ends with the test. */
export async function startTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const target = new URL(serverUrl)
  const pairs = new Set<{ client: Socket; silent: Set<Silence> }>()
  let allSilent = false
  let nextSwallowed = Promise.withResolvers<void>()

  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    const pair = { client, silent: new Set<Silence>() }
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    let dropped = false
    const pass = (from: Socket, to: Socket, what: Silence) =>
      from.on('data', (bytes) => {
        if (!allSilent && !pair.silent.has(what)) return to.write(bytes)
        if (dropped) return
        dropped = true
        nextSwallowed.resolve()
        nextSwallowed = Promise.withResolvers()
      })
    for (const socket of [client, upstream]) {
      socket.on('error', end)
      socket.on('close', end)
    }
    pass(client, upstream, 'requests')
    pass(upstream, client, 'answers')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  function close(): void {
    for (const { client } of pairs) client.destroy()
    server.close()
  }
  onTestFinished(close)

  const url = new URL(serverUrl)
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the proxy has no port')
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return {
    url: url.toString(),
    silence(what) {
      for (const { silent } of pairs) silent.add(what)
    },
    silenceAll(silent) {
      allSilent = silent
    },
    close,
    swallowed: () => nextSwallowed.promise,
    get open() {
      return pairs.size
    },
  }
}

/** Work that connections which fall silent hold up: each time the client's limits of time pass in a moment. */
export async function withoutWaiting<Result>(
  proxy: TcpProxy,
  work: () => Promise<Result>,
  limitMs: number,
): Promise<Result> {
  const letGo = holdTime('setTimeout')
  try {
    let ended = false
    const working = work().finally(() => {
      ended = true
    })
    const settled = working.then(
      () => {},
      () => {},
    )
    while (!ended) {
      await Promise.race([proxy.swallowed(), settled])
      vi.advanceTimersByTime(limitMs)
    }
    return await working
  } finally {
    letGo()
  }
}
