/** The real server in a process of its own, as `npm start` runs it. */
import { spawn, spawnSync } from 'node:child_process'
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
    // Not our own outputs: whoever reads those would wait for its end.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  server.stderr.pipe(process.stderr, { end: false })
  // It does not outlive us, also if the test that waits for its address is over.
  const end = () => void server.kill('SIGKILL')
  process.once('exit', end)
  const ended = new Promise<void>((done) =>
    server.once('exit', () => {
      process.off('exit', end)
      done()
    }),
  )
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

/** Starts the product in a folder, to be migrated or to fail; returns what it says. */
export function runProduct(folder: string, environment: Record<string, string>) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: folder, ...environment }
  const { status, stderr } = spawnSync(process.execPath, [MAIN], { env, cwd: folder })
  return { status, told: `${stderr}`.trim() }
}
