/** The engine as a process: unaffected by load on the server, restarted, and ended with the server. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { isAlive } from '#src/adapters/postgres/leftover-server.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf } from '#testing/database/fixtures.ts'
import { cloneDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { addBettor, digitsBy, PAID, roundRows } from '#testing/product/driven-game.ts'
import { engineEnvironment } from '#testing/product/engine-environment.ts'
import {
  FIRST_ROUND,
  moveToDraw,
  moveToSeal,
  openIssue,
  playRound,
  TRUE_SCHEDULE,
} from '#testing/product/play-round.ts'
import { type StartedServer, startServer } from '#testing/product/started-server.ts'
import { eventually } from '#testing/requests/patience.ts'
import {
  engineEnvironment as environmentOfEngine,
  MAIN,
  SUPERVISED,
  superviseEngine,
} from './supervise-engine.ts'

/** A small program that answers as an engine does, and ends with its parent. */
const PROGRAM = `
const answer = (question) =>
  process.send([question, question === 'metrics' ? 'sum28_engine_rounds 1' : ''], () => {})
process.on('message', answer)
process.on('disconnect', () => process.exit())
answer('lives')`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sum28-supervised-'))
  writeFileSync(join(folder, 'program.mjs'), PROGRAM)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Supervises that program in the place of the engine. */
function supervise(options: { questionEveryMs?: number } = {}) {
  const { log, lines } = captureLog()
  const program = join(folder, 'program.mjs')
  const engine = superviseEngine({ environment: {}, log, program, ...options })
  onTestFinished(() => engine.stop())
  const answers = () =>
    eventually(async () => (await engine.metrics()).includes('sum28_engine_rounds'))
  const isAnother = (pid: number) =>
    eventually(() => engine.pid !== undefined && engine.pid !== pid)
  return { engine, lines, answers, isAnother }
}

/** Those that an engine has no use for. */
const SECRETS = ['SECRET_KEY', 'SMTP_URL', 'TRON_API_KEY', 'METRICS_TOKEN', 'PUBLIC_URL']

/** A process may have ended meanwhile. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Waits until no engine is connected: the database ends a connection a moment after its client. */
async function untilNoEngine({ owner }: TestDatabase): Promise<void> {
  const left = `select from pg_stat_activity
    where datname = current_database() and application_name in ('sum28 engine', 'sum28 bus')`
  await eventually(async () => !(await owner.exists(left)))
}

/** Waits until an engine hears that the clock was set: the connection by which it does, another than that of one before. */
function listening({ owner }: TestDatabase, before = 0): Promise<number> {
  return eventually(async () => {
    const [connection] = await owner.column<number>(
      `select pid from pg_stat_activity
       where datname = current_database() and application_name = 'sum28 bus'
         and usename like '%\\_login\\_engine' and query <> '' and pid <> $1`,
      [before],
    )
    return connection
  })
}

describe('an engine', () => {
  it('that dies is restarted each time, and reported', async () => {
    const { engine, lines, answers, isAnother } = supervise()
    for (let time = 1; time <= 2; time += 1) {
      await answers()
      const pid = engine.pid ?? 0
      process.kill(pid, 'SIGKILL')
      await isAnother(pid)
    }
    expect(lines.filter((line) => line.includes('the engine has died'))).toHaveLength(2)
    await answers()
    expect(await engine.metrics()).toContain('sum28_engine_restarts 2')
  })

  it('that hangs is killed and started again', async () => {
    const { engine, lines, isAnother } = supervise({ questionEveryMs: 200 })
    await engine.started
    const pid = engine.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    await isAnother(pid)
    expect(lines.filter((line) => line.includes('the engine hangs'))).toHaveLength(1)
  })

  it('that hangs does not keep anybody from reading the other metrics', async () => {
    const { engine, answers } = supervise()
    await answers()
    process.kill(engine.pid ?? 0, 'SIGSTOP')
    // What it had answered before it stopped may still be on its way.
    const metrics = await eventually(async () => {
      const text = await engine.metrics()
      return text.includes('sum28_engine_rounds') ? undefined : text
    })
    expect(metrics).toContain('sum28_engine_restarts 0')
    process.kill(engine.pid ?? 0, 'SIGCONT')
  })

  it('that cannot be started is tried again until it runs, and does not keep the server from starting or ending', async () => {
    const { execPath } = process
    onTestFinished(() => {
      process.execPath = execPath
    })
    process.execPath = '/no/such/program'
    const { engine, lines, answers } = supervise()
    await engine.started
    const failures = () => lines.filter((line) => line.includes('could not be started'))
    await eventually(() => failures().length >= 2)
    expect(engine.pid).toBeUndefined()
    process.execPath = execPath
    await answers()

    process.execPath = '/no/such/program'
    const other = supervise()
    await other.engine.stop()
    expect(other.lines).toEqual([])
  })

  it('ends with the server, cleanly', async () => {
    const { engine, lines } = supervise()
    await engine.started
    const pid = engine.pid ?? 0
    expect(isAlive(pid)).toBe(true)
    await engine.stop()
    expect(isAlive(pid)).toBe(false)
    expect(lines).toEqual([])
  })
})

describe('the environment of a supervised engine', () => {
  const own = { databaseUrl: 'postgres://engine@db/x', seedKeys: ['present', 'earlier'] }

  it('has the settings of rounds, what the system needs, and its own address and key', () => {
    const environment = {
      PATH: '/bin',
      NODE_ENV: 'production',
      NODE_EXTRA_CA_CERTS: '/ca.crt',
      LANG: 'C',
      PROFILE: 'production',
      ROUND_SECONDS: '210',
      ROLE: 'all',
      AWS_SECRET: 'another’s',
      ...Object.fromEntries(SECRETS.map((name) => [name, `the ${name} of all`])),
    }
    expect(environmentOfEngine(environment, { ...own, secretKey: null })).toEqual({
      PATH: '/bin',
      NODE_ENV: 'production',
      NODE_EXTRA_CA_CERTS: '/ca.crt',
      PROFILE: 'production',
      ROUND_SECONDS: '210',
      DATABASE_URL: own.databaseUrl,
      SEED_KEY: 'present,earlier',
    })
  })

  it('has SECRET_KEY where the demo’s beacon follows from it', () => {
    const { SECRET_KEY } = environmentOfEngine({}, { ...own, secretKey: 'secret' })
    expect(SECRET_KEY).toBe('secret')
  })
})

describe('a server and its engine, as `npm start` runs them', () => {
  let database: TestDatabase
  let server: StartedServer

  beforeAll(async () => {
    database = await cloneDatabase()
    await database.moveClock(FIRST_ROUND)
    server = await startServer(mkdtempSync(join(tmpdir(), 'sum28-both-')), {
      DATABASE_URL: database.ownerUrl,
      SMTP_URL: 'smtp://user:of-mail@127.0.0.1:1',
      ...TRUE_SCHEDULE,
    })
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
    await database.drop()
  })

  /** The environments of the engines that this server runs, by their process ids. */
  function engines(): Map<number, string> {
    const children = readdirSync('/proc').filter((entry) => {
      if (!/^\d+$/.test(entry)) return false
      const stat = readIfThere(`/proc/${entry}/stat`)
      return Number(/\) \S (\d+)/.exec(stat)?.[1]) === server.pid
    })
    return new Map(
      children
        .map((pid) => [Number(pid), readIfThere(`/proc/${pid}/environ`)] as const)
        .filter(([, text]) => text.includes('ROLE=engine')),
    )
  }

  describe.runIf(process.platform === 'linux')('by their processes', () => {
    it('have in the engine neither the owner’s address nor what only the server needs', () => {
      const [environment, ...others] = engines().values()
      expect(others).toEqual([])
      expect(environment).toContain('SEED_KEY=')
      for (const secret of ['of-mail', database.ownerUrl]) {
        expect(environment).not.toContain(secret)
      }
    })

    it('have another engine after one was killed, and it draws the sealed round as announced', async () => {
      const issue = await openIssue({ database })
      // The clocks have to be compared before bets are taken.
      const apart = 'select from games.house where games.clocks_apart(house)'
      await eventually(async () => !(await database.owner.exists(apart)))
      const player = await addBettor(database, issue)
      await moveToSeal({ database })
      const connection = await listening(database)
      const [pid = 0] = engines().keys()
      process.kill(pid, 'SIGKILL')
      await listening(database, connection)
      expect([...engines().keys()]).not.toContain(pid)
      await moveToDraw({ database }, issue)
      const [row = {}] = await roundRows(database)
      expect(row).toMatchObject({ issue: BigInt(issue), state: 'settled', digits: digitsBy(row) })
      expect(Number(row.sealed_at)).toBeLessThan(Number(row.draws_at))
      expect(await cashOf(database, player)).toBe(PAID)
    })
  })

  it('lose no round while the server’s event loop is blocked: each is drawn with the engine’s own beacon', async () => {
    // Meanwhile nothing of the server runs, including its beacon.
    process.kill(server.pid, 'SIGSTOP')
    try {
      await playRound({ database })
      await playRound({ database })
    } finally {
      process.kill(server.pid, 'SIGCONT')
    }
    await expectAlwaysTrue(database.owner)
  })

  it('end together when the server is killed', async () => {
    process.kill(server.pid, 'SIGKILL')
    await untilNoEngine(database)
  })

  it('have in the engine one that reads no file of settings, heeds no signal of a terminal, and ends with its parent', async () => {
    writeFileSync(join(folder, '.env'), 'SMTP_URL=no address\n')
    const env = engineEnvironment(database, { HOST: '127.0.0.1', PORT: '0' })
    const engine = fork(MAIN, [SUPERVISED], { cwd: folder, env, execArgv: [] })
    const ended = once(engine, 'exit')
    const asked = async (question: string): Promise<string> => {
      const answer = once(engine, 'message')
      engine.send(question)
      const [[to, text]] = await answer
      expect(to).toBe(question)
      return text
    }
    expect((await once(engine, 'message'))[0]).toEqual(['lives', ''])
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) engine.kill(signal)
    await listening(database)
    await moveToSeal({ database })
    // Who asks whether it lives takes nothing from the metrics, and no reader of metrics does from another.
    const looks = async () =>
      Number(/sum28_engine_loop_delay_seconds_count (\d+)/.exec(await asked('metrics'))?.[1])
    await eventually(async () => (await looks()) > 0)
    const before = await looks()
    expect(await asked('lives')).toBe('')
    expect(await looks()).toBeGreaterThanOrEqual(before)
    engine.disconnect()
    expect(await ended).toEqual([0, null])
    await untilNoEngine(database)
  })
})
