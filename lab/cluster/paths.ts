/** Network paths between parts of the cluster, each through a proxy that can drop all bytes. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePorts } from './parts.ts'

const HERE = '127.0.0.1'

export type Path = Awaited<ReturnType<typeof openPath>>

/** Opens a path to a server of this machine. */
export async function openPath(target: number) {
  const sockets = new Set<Socket>()
  let isCut = false

  const server = createServer({ noDelay: true }, (client) => {
    sockets.add(client)
    const far = connect({ host: HERE, port: target, noDelay: true })
    const end = () => {
      // Closing a connection is a packet too.
      if (isCut) return
      sockets.delete(client)
      client.destroy()
      far.destroy()
    }
    for (const [from, to] of [
      [client, far],
      [far, client],
    ] as const) {
      from.on('error', end)
      from.on('close', end)
      from.on('data', (bytes: Buffer) => {
        if (isCut || to.destroyed) return
        if (to.write(bytes)) return
        from.pause()
        to.once('drain', () => from.resume())
      })
    }
  })
  const [port = 0] = await freePorts(1)
  server.listen(port, HERE)
  await once(server, 'listening')

  function endAll(): void {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }

  return {
    /** Where to connect instead of the target. */
    port,
    /** From now on no byte passes, and no connection is closed: as if packets were dropped. */
    cut(): void {
      isCut = true
    },
    /** Connections that were cut are lost; new ones pass. */
    heal(): void {
      isCut = false
      endAll()
    },
    close(): void {
      isCut = false
      endAll()
      server.close()
    },
  }
}
