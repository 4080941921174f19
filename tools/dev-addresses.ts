import { type Environment, readConfig } from '../apps/server/src/config.ts'
import { tryAddress } from '../apps/server/src/process/listening.ts'
import { StartError } from '../apps/server/src/process/start-error.ts'

/** The port after it is the console's. */
const WEB_PORT_MAX = 65_534

/**
 * The ports of `npm run dev`. What another process has is refused before anything is started: it would be shown in
 * place of this product.
 *
 * @throws StartError
 */
export async function devPorts(
  settings: Environment,
): Promise<{ port: number; webPort: number; consolePort: number }> {
  // An empty setting is none, as for the server.
  const webPort = Number(settings.WEB_PORT || 5173)
  if (!Number.isInteger(webPort) || webPort < 1 || webPort > WEB_PORT_MAX) {
    throw new StartError(
      `WEB_PORT=${settings.WEB_PORT} must be a whole number from 1 to ${WEB_PORT_MAX}: the console has the port after it.`,
    )
  }
  const { host, port } = readConfig(settings)
  const consolePort = webPort + 1
  await tryAddress({ host, port })
  await tryAddress({ host: 'localhost', port: webPort }, 'WEB_PORT')
  await tryAddress({ host: 'localhost', port: consolePort }, 'WEB_PORT')
  return { port, webPort, consolePort }
}
