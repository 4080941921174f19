/** How long `npm start` takes until the product is ready: on a new data folder, and again on the same one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isShort, median, report, saveFigures } from './report.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const AGAIN = isShort ? 1 : 7
const POLL_EVERY_MS = 20

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
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
    if (answer?.status === 200) break
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
  rmSync(dataDir, { recursive: true, force: true })
}
