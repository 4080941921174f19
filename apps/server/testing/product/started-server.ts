/** The real server in a process of its own, as `npm start` runs it, for browser tests and benches. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

const FLAGS = ['--disable-warning=ExperimentalWarning', '--disable-sigusr1']

export type StartedServer = {
  /** Where the app is served. */
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  /** Ends the process, if it has not ended by itself, and removes its data folder. */
  stop(): Promise<void>
}

/**
 * Starts a server on a free port, and waits until it says its address.
 *
 * @throws with all that it printed, if it ends before
 */
export async function startServer(
  dataDir: string,
  environment: Record<string, string>,
): Promise<StartedServer> {
  const server = spawn(process.execPath, [...FLAGS, MAIN], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
      // The bets of a room are those that its caller makes.
      ROBOTS: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((done) => server.once('exit', () => done()))
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    server.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      const address = /App\s+(http:\/\/\S+)/.exec(output)?.[1]
      if (address) resolve(address)
    })
    server.once('error', reject)
    server.once('close', () => reject(new Error(`the server ended: ${output}`)))
  })
  return {
    url,
    pid: server.pid ?? 0,
    dataDir,
    async stop() {
      server.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}
