import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { tryAddress } from '../apps/server/src/process/listening.ts'
import { devPorts } from './dev-addresses.ts'

/** A port that another process seems to use. */
async function takenPort(host: string): Promise<number> {
  const other = createServer().listen(0, host)
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  return (other.address() as AddressInfo).port
}

/** The same of localhost, after a port that nobody uses. */
async function takenAfterFree(): Promise<number> {
  for (;;) {
    const port = await takenPort('localhost')
    try {
      await tryAddress({ host: 'localhost', port: port - 1 })
      return port
    } catch {}
  }
}

it('refuses a port that another process has, and names the setting', async () => {
  const port = await takenPort('127.0.0.1')
  await expect(devPorts({ PORT: `${port}` })).rejects.toThrow(
    `The port of 127.0.0.1:${port} is in use: stop what uses it, or set PORT to another.`,
  )
  const webPort = await takenAfterFree()
  const told = `The port of localhost:${webPort} is in use: stop what uses it, or set WEB_PORT to another.`
  for (const WEB_PORT of [webPort, webPort - 1]) {
    await expect(devPorts({ PORT: '0', WEB_PORT: `${WEB_PORT}` })).rejects.toThrow(told)
  }
})

it.each(['abc', '0', '65535', '5173.5'])('refuses WEB_PORT=%s', async (WEB_PORT) => {
  await expect(devPorts({ WEB_PORT })).rejects.toThrow(
    `WEB_PORT=${WEB_PORT} must be a whole number from 1 to 65534: the console has the port after it.`,
  )
})
