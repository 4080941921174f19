/** Processes with roles: what each does, and that together they are the product. */
import { heart, playOrder } from '@sum28/contract/lottery-routes.ts'
import { recharge } from '@sum28/contract/money-routes.ts'
import { register, sendCode, userInfo } from '@sum28/contract/user-routes.ts'
import { MICRO } from '@sum28/domain/money.ts'
import { expect, it, onTestFinished } from 'vitest'
import type { App } from '#src/app.ts'
import { superviseEngine } from '#src/engine/supervise-engine.ts'
import { greeting } from '#src/process/greeting.ts'
import { makeLog } from '#src/process/log.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { addBlocks } from '#testing/hosts/served-local-node.ts'
import { engineEnvironment } from '#testing/product/engine-environment.ts'
import { FIRST_ROUND, playRound } from '#testing/product/play-round.ts'
import { clientOf, createInstallation } from '#testing/product/processes.ts'
import { eventually } from '#testing/requests/patience.ts'

const ROOM = { plan_id: 11, game_id: 1 }

async function partsOf(app: App): Promise<unknown> {
  return (await fetch(`${app.url}/readyz`)).json()
}

/** The process of the database that holds the lead of a game, or null. */
async function leaderOf({ owner }: TestDatabase, gameId: number): Promise<number | null> {
  const [pid = null] = await owner.column<number>(
    `select pid from pg_locks where locktype = 'advisory' and classid = 28 and objid = $1 and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [gameId],
  )
  return pid
}

/** What a process says at its start, and the demo's page on it, name addresses that it has. */
async function expectPages(role: 'engine' | 'jobs', url: string): Promise<void> {
  const standIns = { capturedMail: true, localChain: true, staff: '' }
  const said = greeting({ profile: 'demo', role, url, ...standIns })
  expect(said).toContain(role)
  const page = await (await fetch(`${url}/dev`)).text()
  const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, path]) => url + path)
  expect(links).not.toEqual([])
  for (const address of [...(said.match(/http:\S+/g) ?? []), ...links]) {
    expect((await fetch(address)).status, address).not.toBe(404)
  }
}

it('each process runs its role, and together they are the product, whichever process is asked', async () => {
  const { database, start } = await createInstallation()
  const { start: startBehind } = await createInstallation(
    { PUBLIC_URL: 'http://play.example' },
    database,
  )
  const drained = Promise.withResolvers<void>()
  const first = await start('api', { drain: () => drained.promise })
  onTestFinished(() => drained.resolve())
  expect(await partsOf(first)).toEqual({ ready: true, database: true })
  expect([await first.engineMetrics(), first.chain]).toEqual(['', null])
  const engine = await startBehind('engine')
  await eventually(async () => (await fetch(`${engine.url}/readyz`)).ok)
  expect(await partsOf(engine)).toMatchObject({ database: true, engine: true })
  const jobs = await startBehind('jobs')
  expect(await partsOf(jobs)).toEqual({ ready: true, database: true, chain: true, mail: true })
  for (const app of [engine, jobs]) {
    expect((await fetch(`${app.url}/api/user/userinfo`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(`${app.url}/`)).status).toBe(404)
    expect((await fetch(`${app.url}/metrics`)).status).toBe(200)
  }
  await expectPages('engine', engine.url)
  await expectPages('jobs', jobs.url)
  const second = await start('api')

  await clientOf(first)(sendCode, { email: 'ann@example.org', event: 'register' })
  const mail = await eventually(async () => (await second.mails?.latest())?.[0])
  const { userinfo } = await clientOf(second)(register, {
    username: 'ann',
    email: 'ann@example.org',
    code: /\d{6}/.exec(mail.subject)?.[0] ?? '',
    password: 'a long enough passphrase',
    group_id: 1,
    adult: true,
  })
  const [here, there] = [clientOf(first, userinfo.token), clientOf(second, userinfo.token)]

  const to = await eventually(async () => (await here(recharge, {})).usdt)
  await jobs.chain?.transfer({ to, amountMicro: 100n * MICRO })
  await addBlocks(database, 3)
  const seen = await eventually(async () => (await there(recharge, {})).transfers[0])
  expect(seen.quantity).toBe('100.00')
  await eventually(async () => (await there(userInfo, {})).money === '100.00')

  await playRound({ database }, async (issue) => {
    const order = { ...ROOM, issue, play_type: '[1]', money: 100 }
    const placed = await there(playOrder, order)
    await eventually(async () => {
      const { message } = await here(heart, { ...ROOM, after: 0 })
      return message.some(({ id }) => id === placed.id)
    })
  })
  await expectAlwaysTrue(database.owner)

  // One that stops is not ready, and answers until the balancer sends it no more requests.
  const ended = first.stop()
  expect(await partsOf(first)).toEqual({ ready: false, database: true, serving: false })
  expect((await fetch(`${first.url}/openapi.json`)).status).toBe(200)
  drained.resolve()
  await ended
  await expect(fetch(`${first.url}/readyz`)).rejects.toThrow()
})

it('an engine that was frozen while another took over its games changes nothing when it continues', async () => {
  const database = await createTestDatabase()
  await database.moveClock(FIRST_ROUND)
  const startEngine = () => {
    const engine = superviseEngine({
      environment: engineEnvironment(database),
      log: makeLog({ level: 'silent', pretty: false }),
      // The frozen one is not killed, however long the rest takes.
      questionEveryMs: 3_600_000,
    })
    onTestFinished(() => engine.stop())
    return engine
  }
  const { pid, started } = startEngine()
  await started
  if (!pid) throw new Error('the engine has no process')
  await playRound({ database })
  const before = await leaderOf(database, 1)
  const other = startEngine()
  await other.started
  process.kill(pid, 'SIGSTOP')
  // As the database does itself after fifteen seconds of silence.
  await database.owner.query('select pg_terminate_backend($1)', [before])
  try {
    await eventually(async () => {
      const leader = await leaderOf(database, 1)
      return leader !== null && leader !== before
    })
    await playRound({ database })
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  // It now tries to finish what it had begun when it was frozen.
  await playRound({ database })
  await playRound({ database })
  expect(await leaderOf(database, 1)).not.toBe(before)
  expect(await other.metrics()).toContain('sum28_engine_restarts 0')
  await expectAlwaysTrue(database.owner)
})
