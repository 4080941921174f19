/** How long `npm start` takes until the product is ready: on a new data folder, and again on the same one. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isShort, median, report, saveFigures } from './report.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const AGAIN = isShort ? 1 : 7
const POLL_EVERY_MS = 20

/** Below the ports that the system gives to others, for the product listens seconds later. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Milliseconds from the command to the first answer that the product is ready; it is ended then. */
async function startOnce(dataDir: string): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    const state = (await answer?.json()) as { ready: boolean; engine: boolean } | undefined
    if (state?.ready && state.engine) break
    if (child.exitCode !== null) throw new Error('npm start ended: start it by hand to see why')
    await sleep(POLL_EVERY_MS)
  }
  const took = performance.now() - began
  child.kill('SIGTERM')
  await ended
  return took
}

const dataDir = mkdtempSync(join(tmpdir(), 'sum28-start-'))
try {
  const first = await startOnce(dataDir)
  const again: number[] = []
  while (again.length < AGAIN) again.push(await startOnce(dataDir))
  const figures = [
    { name: 'on a new data folder', value: first, unit: 'ms' },
    { name: 'again, median', value: median(again), unit: 'ms' },
    { name: 'again, longest', value: Math.max(...again), unit: 'ms' },
  ]
  report('From npm start to ready', figures)
  const target = { figure: 'from npm start to ready, again', unit: 'ms', atMost: 2_000 }
  saveFigures('start', { figures, targets: [{ ...target, value: median(again) }] })
} finally {
  // Where the product was too slow to end in order, its database is still ending.
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 1_000 })
}
