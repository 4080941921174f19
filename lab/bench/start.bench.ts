/**
 * How long `npm start` takes until the product is ready, on a new data folder, and again on the same one; and how long no
 * order is accepted while a process is stopped and started.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../cluster/parts.ts'
import { betsBy, startProduct } from './product.ts'
import { isShort, median, report } from './report.ts'
import { startStack } from './stack.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const AGAIN = isShort ? 1 : 7
const POLL_EVERY_MS = 20

/** Milliseconds from the command to the first answer that the product is ready; it is ended then. */
async function startOnce(dataDir: string): Promise<number> {
  const [port] = await freePorts(1)
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

/** What both processes are given; in a demo no process waits for a balancer. */
const SETTINGS = {
  ROUND_SECONDS: '3600',
  SEAL_SECONDS: '1',
  OPENING_HOURS: '00:00-24:00',
  SECRET_KEY: 'a key of the bench of more than 32 characters',
  SEED_KEY: 'a key of seeds of the bench of more than 32 characters',
}

/** Milliseconds from the last order that a process accepts before its end to the first that the next one accepts. */
async function stopAndStart(): Promise<number> {
  const environment = { ...SETTINGS, PORT: String((await freePorts(1))[0]) }
  const product = await startProduct(1, { environment })
  const bet = await betsBy(product, product.players)
  const acceptedAt: number[] = []
  let playing = true
  async function play(): Promise<void> {
    while (playing) {
      const isAccepted = await bet().then(
        () => true,
        () => false,
      )
      if (isAccepted) acceptedAt.push(performance.now())
      await sleep(POLL_EVERY_MS)
    }
  }
  const played = play()
  while (acceptedAt.length < 100) await sleep(POLL_EVERY_MS)
  await product.stack.stop()
  const stopped = acceptedAt.length
  const next = await startStack({ DATABASE_URL: product.ownerUrl, ...environment })
  while (acceptedAt.length === stopped) await sleep(POLL_EVERY_MS)
  playing = false
  await played
  await next.stop()
  await product.stop()
  return (acceptedAt[stopped] ?? 0) - (acceptedAt[stopped - 1] ?? 0)
}

const dataDir = mkdtempSync(join(tmpdir(), 'sum28-start-'))
try {
  const first = await startOnce(dataDir)
  const again: number[] = []
  while (again.length < AGAIN) again.push(await startOnce(dataDir))
  const gap = await stopAndStart()
  report('start', [
    { name: 'from npm start to ready, on a new data folder', value: first, unit: 'ms' },
    { name: 'again, median', value: median(again), unit: 'ms', atMost: 2_000 },
    { name: 'again, longest', value: Math.max(...again), unit: 'ms' },
    { name: 'stopped and started, without an order', value: gap, unit: 'ms', atMost: 5_000 },
  ])
} finally {
  // Where the product was too slow to end in order, its database is still ending.
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 1_000 })
}
