/** Whether the server can listen on its address, and why not, in a sentence. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { StartError } from './start-error.ts'

type Address = { host: string; port: number }

/** Listens for a moment, before a database or an engine is started for it. @throws StartError */
export function tryAddress(address: Address, portSetting = 'PORT'): Promise<void> {
  return listening(
    address,
    async () => {
      const server = createServer().listen(address)
      await once(server, 'listening')
      server.close()
      await once(server, 'close')
    },
    portSetting,
  )
}

/** Starts what listens there. @throws StartError if it cannot listen, and what else it throws */
export async function listening<Started>(
  { host, port }: Address,
  start: () => Promise<Started>,
  portSetting = 'PORT',
): Promise<Started> {
  try {
    return await start()
  } catch (error) {
    const { code, syscall, hostname } = error as NodeJS.ErrnoException & { hostname?: string }
    if (syscall !== 'listen' && hostname !== host) throw error
    const where = `${host}:${port}`
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `The port of ${where} is in use: stop what uses it, or set ${portSetting} to another.`,
      )
    }
    throw new StartError(
      `The server cannot listen on ${where} (${code}): set HOST and ${portSetting}.`,
    )
  }
}
