/** A proxy between a client and a server that can silence connections without closing them. */
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** The direction that a silent connection drops. */
export type Silence = 'requests' | 'answers'

export type TcpProxy = {
  /** The server's address with the proxy in its place. */
  url: string
  /** From now on the open connections drop this direction; later ones do not. */
  silence(what: Silence): void
  /** Open and future connections drop everything to the server, until released. */
  silenceAll(silent: boolean): void
  /** How many connections clients have open. */
  readonly open: number
}

/** Starts a proxy for the server of a URL; it ends with the test. */
export async function startTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const target = new URL(serverUrl)
  const pairs = new Set<{ client: Socket; silent: Set<Silence> }>()
  let allSilent = false

  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    const pair = { client, silent: new Set<Silence>() }
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      socket.on('error', end)
      socket.on('close', end)
    }
    client.on('data', (bytes) => {
      if (!allSilent && !pair.silent.has('requests')) upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (!allSilent && !pair.silent.has('answers')) client.write(bytes)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    for (const { client } of pairs) client.destroy()
    server.close()
  })

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
    get open() {
      return pairs.size
    },
  }
}
