/** The engine as a process: unaffected by load on the server, restarted, and ended with the server. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { expectAlwaysTrue } from '#testing/always-true.ts'
import { captureLog } from '#testing/captured-log.ts'
import { PATIENT_LIMITS } from '#testing/patience.ts'
import { createTestApp, eventually, type TestApp } from '#testing/test-app.ts'
import { createTestDatabase } from '#testing/test-database.ts'
import { TEST_TIME_ZONE } from '#testing/time-zone.ts'
import { engineParts } from './engine-health.ts'
import { type EngineHost, LOOP_DELAY_MAX_MS, startEngineProcess } from './engine-host.ts'

/** The rounds that were open at an instant and have ended, with their results. */
async function endedSince({ database }: TestApp, since: number) {
  return database.owner.query<{ state: string; void_reason: string | null }>(
    `select state, void_reason from rounds.round where draws_at > $1 and settled_at is not null`,
    [new Date(since)],
  )
}

function engineOf({ app }: TestApp): EngineHost {
  if (!app.engine) throw new Error('the product has no engine')
  return app.engine
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a server whose event loop is blocked', () => {
  it('loses no round: each is sealed in time, and drawn with the engine’s own beacon', async () => {
    // Long enough that a busy machine does not void a round: the test is only about the blocked loop.
    const test = await createTestApp({ ROUND_SECONDS: '20', SEAL_SECONDS: '16' })
    await eventually(async () => {
      const rounds = await test.database.owner.query(
        `select from rounds.round where state = 'open'`,
      )
      return rounds.length === 4 || undefined
    })
    const since = Date.now()
    // Longer than a round with its seal: meanwhile nothing of the server runs, including its beacon.
    while (Date.now() - since < 22_000);
    const ended = await eventually(async () => {
      const rounds = await endedSince(test, since)
      return rounds.length >= 8 ? rounds : undefined
    })
    expect(new Set(ended.map(({ state }) => state))).toEqual(new Set(['settled']))
    await expectAlwaysTrue(test.database.owner)
  })
})

describe('an engine that dies', () => {
  it('is restarted each time, and reported', async () => {
    const { log, lines } = captureLog('info')
    const test = await createTestApp({}, { log })
    for (let time = 1; time <= 2; time += 1) {
      const pid = engineOf(test).pid ?? 0
      process.kill(pid, 'SIGKILL')
      await eventually(() => {
        const fresh = engineOf(test).pid
        return (fresh !== undefined && fresh !== pid) || undefined
      })
      await eventually(() => engineParts(engineOf(test)).engine || undefined)
      expect(engineOf(test).state().restarts).toBe(time)
    }
    expect(lines.filter((line) => line.includes('the engine has died'))).toHaveLength(2)
    const since = Date.now()
    await eventually(async () => {
      const ended = await endedSince(test, since)
      return ended.some(({ state }) => state === 'settled') || undefined
    })
    const metrics = await (await test.fetch('/metrics')).text()
    expect(metrics).toContain('sum28_engine_restarts 2')
    expect(metrics).toMatch(/sum28_engine_loop_delay_seconds\{of="max"\} [0-9.e-]+\n/)
    expect(metrics).toMatch(/sum28_engine_age_seconds [0-9.e-]+\n/)
    expect(metrics).toContain('sum28_clocks_apart 0')
    await expectAlwaysTrue(test.database.owner)
  })

  it('or hangs is not ready, and the time of its last report is shown', async () => {
    const test = await createTestApp()
    const engine = engineOf(test)
    expect(engineParts(engine)).toMatchObject({ engine: true })
    const pid = engine.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    const first = await eventually(() => {
      const { ageMs } = engine.state()
      return ageMs > 2_000 ? ageMs : undefined
    })
    await eventually(() => engine.state().ageMs > first + 500 || undefined)
    process.kill(pid, 'SIGCONT')
    await eventually(() => engine.state().ageMs < first || undefined)
  })
})

describe('an engine that cannot be started', () => {
  it('is tried again until it runs, and does not keep the server from starting or ending', async () => {
    const { execPath } = process
    onTestFinished(() => {
      process.execPath = execPath
    })
    process.execPath = '/no/such/program'
    const database = await createTestDatabase()
    const { log, lines } = captureLog()
    const host = startEngineProcess({ log, onStep: () => {} })
    onTestFinished(() => host.stop())
    await host.begin(SETTINGS(database.applicationUrl))
    await eventually(() => host.state().restarts >= 2 || undefined)
    expect(host.pid).toBeUndefined()
    expect(lines.filter((line) => line.includes('could not be started')).length).toBeGreaterThan(1)
    process.execPath = execPath
    await eventually(() => engineParts(host).engine || undefined)

    process.execPath = '/no/such/program'
    const other = startEngineProcess({ log, onStep: () => {} })
    await other.stop()
    expect(other.state().restarts).toBe(0)
  })
})

describe('an engine whose loop was held up', () => {
  it('is reported with its delay, is not ready by then, and is ready again with its next report', async () => {
    const database = await createTestDatabase()
    const { log } = captureLog()
    const alarms: { lateMs: number; parts: ReturnType<typeof engineParts> }[] = []
    const host: EngineHost = startEngineProcess({
      log: {
        debug: log.debug.bind(log),
        info: log.info.bind(log),
        warn: log.warn.bind(log),
        // The readiness is read with the late report itself: the next one comes half a second later.
        error: (facts, text) => {
          log.error(facts, text)
          if (text !== 'the engine’s loop was held up') return
          const { lateMs } = facts as { lateMs: number }
          alarms.push({ lateMs, parts: engineParts(host) })
        },
      },
      onStep: () => {},
    })
    onTestFinished(() => host.stop())
    await host.begin(SETTINGS(database.applicationUrl))
    await eventually(() => engineParts(host).engine_loop || undefined)
    const pid = host.pid ?? 0
    const lateMs = LOOP_DELAY_MAX_MS + 1_000
    process.kill(pid, 'SIGSTOP')
    // It is silent for longer than its age says, which counts from the second missing report on.
    await eventually(() => host.state().ageMs > lateMs || undefined)
    process.kill(pid, 'SIGCONT')
    await eventually(() => alarms.length > 0 || undefined)
    const [alarm] = alarms
    expect(alarm?.parts).toMatchObject({ engine_loop: false })
    expect(alarm?.lateMs).toBeGreaterThanOrEqual(LOOP_DELAY_MAX_MS)
    await eventually(() => engineParts(host).engine_loop || undefined)
    expect(host.pid).toBe(pid)
  })
})

describe('an engine’s end', () => {
  it('comes with the server’s, cleanly', async () => {
    const test = await createTestApp()
    const pid = engineOf(test).pid ?? 0
    expect(isAlive(pid)).toBe(true)
    await test.stop()
    expect(isAlive(pid)).toBe(false)
    // The database ends a connection a moment after its client.
    await eventually(async () => {
      const left = await test.database.owner.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'sum28 engine'`,
      )
      return left.length === 0 || undefined
    })
  })

  it('comes when the server is killed', async () => {
    const database = await createTestDatabase()
    const parent = startParent(database.applicationUrl)
    const pid = await parent.enginePid
    expect(isAlive(pid)).toBe(true)
    parent.child.kill('SIGKILL')
    await once(parent.child, 'exit')
    await eventually(() => !isAlive(pid) || undefined)
  })

  it('does not follow signals that a terminal sends to all', async () => {
    const { log } = captureLog()
    const database = await createTestDatabase()
    const host = startEngineProcess({ log, onStep: () => {} })
    onTestFinished(() => host.stop())
    await host.begin(SETTINGS(database.applicationUrl))
    const pid = host.pid ?? 0
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal)
    await eventually(async () => {
      const rounds = await database.owner.query(`select from rounds.round where state = 'sealed'`)
      return rounds.length > 0 || undefined
    })
    expect(host.pid).toBe(pid)
  })
})

const SETTINGS = (databaseUrl: string) => ({
  databaseUrl,
  schedule: {
    ...{ timeZone: TEST_TIME_ZONE, opensMinute: 0, closesMinute: 1_440 },
    ...{ roundMs: 6_000, sealMs: 2_000 },
  },
  beaconDeadlineMs: 60_000,
  localBeacon: { secretHex: '01'.repeat(32), genesisTime: 1_700_000_001 },
  secretKey: 'x'.repeat(32),
  secretKeysPrevious: [],
  gameIds: [1],
  seedChainLength: 1_000,
  limits: PATIENT_LIMITS.engine,
})

const PARENT = fileURLToPath(new URL('../../testing/engine-parent.ts', import.meta.url))

function startParent(databaseUrl: string): { child: ChildProcess; enginePid: Promise<number> } {
  const child = spawn(process.execPath, [PARENT, databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const enginePid = new Promise<number>((resolve) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const { msg, pid } = JSON.parse(line) as { msg: string; pid: number }
      if (msg === 'the engine runs') resolve(pid)
    })
  })
  return { child, enginePid }
}
