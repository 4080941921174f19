/** Stale reads, on the whole product with a real replica: what is read from where, and what players see. */
import { aboutUs } from '@sum28/contract/index-routes.ts'
import { issueList } from '@sum28/contract/lottery-routes.ts'
import { quantityLogList } from '@sum28/contract/money-routes.ts'
import { orderList, orderTotals } from '@sum28/contract/user-routes.ts'
import { addDays, dayOf } from '@sum28/domain/schedule.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '#src/app.ts'
import { openTestRound, orderFor, placeAll } from '#testing/fixtures.ts'
import { addPastRounds } from '#testing/past-rounds.ts'
import { clientOf, createInstallation } from '#testing/processes.ts'
import { type ReplicatedServer, startReplicatedServer } from '#testing/replicated-server.ts'
import { addSeatedPlayer } from '#testing/seated-player.ts'
import { startTcpProxy } from '#testing/tcp-proxy.ts'
import { eventually } from '#testing/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { TEST_TIME_ZONE } from '#testing/time-zone.ts'

const DAY_MS = 86_400_000

/** The most that the setting allows. */
const LAG_MAX_SECONDS = 60

/** A machine took longer than a replica may be behind for what a test does while its replay is paused. */
class TooSlow extends Error {}

let server: ReplicatedServer

beforeAll(async () => {
  server = await startReplicatedServer()
})

afterAll(() => server?.stop())

/** A process that serves players, with the replica behind a proxy. */
async function startWithReplica(lagMaxSeconds: number) {
  const database = await createTestDatabase(server.primaryUrl)
  const proxy = await startTcpProxy(server.replicaUrl(''))
  const environment = {
    DATABASE_REPLICA_URL: `postgres://${new URL(proxy.url).host}`,
    REPLICA_LAG_MAX_SECONDS: String(lagMaxSeconds),
  }
  const { start } = await createInstallation(environment, database)
  const app = await start('api')
  await isUsed(app, true)
  return { app, database, proxy }
}

/** All that is at /metrics, by names with their labels. */
async function metricsOf(app: App): Promise<Map<string, number>> {
  const text = await (await fetch(`${app.url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

async function readsOf(app: App, kind: string) {
  const metrics = await metricsOf(app)
  const count = (from: string) =>
    metrics.get(`sum28_old_reads_total{kind="${kind}",from="${from}"}`) ?? 0
  return { replica: count('replica'), primary: count('primary') }
}

/** Waits until the replica is used, or not used any more. */
function isUsed(app: App, used: boolean): Promise<true> {
  return eventually(async () => {
    for (const [name, value] of await metricsOf(app)) {
      if (name.startsWith('sum28_replica_used')) return value === Number(used) || undefined
    }
    return undefined
  })
}

async function bet(database: TestDatabase, player: number, daysAgo: number): Promise<string> {
  await database.shiftClock(-daysAgo * DAY_MS)
  const gameDay = dayOf(TEST_TIME_ZONE, Date.now() - daysAgo * DAY_MS)
  const round = await openTestRound(database, { gameDay })
  expect(await placeAll(database, [orderFor(player, round)])).toEqual([null])
  await database.shiftClock(daysAgo * DAY_MS)
  return round.issue
}

const writeAbout = ({ owner }: TestDatabase, html: string) =>
  owner.query('update content.about set html = $1', [html])

/**
 * Repeats the request until the answer comes from the replica, which a busy machine may not use for a moment.
 *
 * @param pausedAt since when it replays nothing
 * @throws TooSlow if it is too far behind by now
 */
async function ofReplica<Answer>(
  app: App,
  kind: string,
  ask: (tries: number) => Promise<Answer>,
  pausedAt?: number,
): Promise<Answer> {
  let tries = 0
  const found = await eventually(async () => {
    const pausedMs = pausedAt === undefined ? 0 : performance.now() - pausedAt
    if (pausedMs > LAG_MAX_SECONDS * 1_000) throw new TooSlow()
    const before = await readsOf(app, kind)
    tries += 1
    const answer = await ask(tries)
    return (await readsOf(app, kind)).replica > before.replica ? { answer } : undefined
  })
  return found.answer
}

it('past periods are read from the replica, and a player sees his own latest actions', async () => {
  async function readPast(): Promise<void> {
    const { app, database } = await startWithReplica(LAG_MAX_SECONDS)
    const player = await addSeatedPlayer(database)
    const before = await bet(database, player.id, 3)
    const today = dayOf(TEST_TIME_ZONE, Date.now())
    const past = { begin_date: addDays(today, -5), end_date: addDays(today, -2) }
    const gameDay = addDays(today, -20)
    await addPastRounds(database, { gameDay }, [{ number: 1, digits: [1, 2, 3] }])
    const call = clientOf(app, player.token)
    async function issuesIn(days: Partial<typeof past>): Promise<string[]> {
      const reply = await call(orderList, days)
      return (Array.isArray(reply) ? reply : reply.list).map(({ issue }) => issue)
    }
    await eventually(
      async () =>
        (await ofReplica(app, 'history', () => issuesIn(past)))[0] === before || undefined,
    )

    await server.pauseReplay()
    const pausedAt = performance.now()
    try {
      const now = await bet(database, player.id, 0)
      await writeAbout(database, '<p>New.</p>')
      const { primary } = await readsOf(app, 'history')
      expect(await issuesIn({})).toEqual([now])
      const recent = { begin_date: past.begin_date, end_date: today }
      expect((await call(orderTotals, recent)).count).toBe(2)
      expect((await readsOf(app, 'history')).primary).toBe(primary + 2)
      const { about } = await ofReplica(app, 'content', () => call(aboutUs, {}), pausedAt)
      expect(about.content).not.toBe('<p>New.</p>')
      expect(
        await ofReplica(app, 'statement', () => call(quantityLogList, past), pausedAt),
      ).toHaveLength(1)
      // Pages of a finished day are cached after their first read, so each try requests another one.
      await ofReplica(
        app,
        'results',
        (page) => call(issueList, { game_id: 1, date: gameDay, page }),
        pausedAt,
      )
      const results = await readsOf(app, 'results')
      await call(issueList, { game_id: 1 })
      expect(await readsOf(app, 'results')).toEqual({ ...results, primary: results.primary + 1 })
    } finally {
      await server.resumeReplay()
    }
    await eventually(
      async () => (await call(aboutUs, {})).about.content === '<p>New.</p>' || undefined,
    )
  }
  for (let tries = 1; ; tries += 1) {
    try {
      return await readPast()
    } catch (error) {
      if (!(error instanceof TooSlow) || tries === 5) throw error
    }
  }
})

it('a replica that is too far behind is not used, without any failure, and comes back by itself', async () => {
  const { app, database } = await startWithReplica(1)
  const call = clientOf(app)
  await server.pauseReplay()
  try {
    await writeAbout(database, '<p>Later.</p>')
    await isUsed(app, false)
    expect((await call(aboutUs, {})).about.content).toBe('<p>Later.</p>')
    expect(await (await fetch(`${app.url}/readyz`)).json()).toEqual({ ready: true, database: true })
  } finally {
    await server.resumeReplay()
  }
  await isUsed(app, true)
})

it('if a replica stops answering, the primary is read instead, until it answers again', async () => {
  const { app, database, proxy } = await startWithReplica(LAG_MAX_SECONDS)
  await writeAbout(database, '<p>Last.</p>')
  const call = clientOf(app)
  proxy.silenceAll(true)
  expect((await call(aboutUs, {})).about.content).toBe('<p>Last.</p>')
  await isUsed(app, false)
  await eventually(async () => (await fetch(`${app.url}/readyz`)).status === 200 || undefined)
  proxy.silenceAll(false)
  await isUsed(app, true)
})

it('a process reads the primary’s log position through a connection that no request uses', async () => {
  const { database } = await startWithReplica(LAG_MAX_SECONDS)
  // On a busy machine one that was given up may not have ended yet, or the next not have begun.
  await eventually(async () => {
    const looks = await database.owner.query(
      `select application_name from pg_stat_activity
       where datname = current_database() and application_name = 'sum28 replica'`,
    )
    return looks.length === 1 || undefined
  })
})

it('a process starts and answers even if the replica is down from the beginning', async () => {
  const database = await createTestDatabase()
  const environment = { DATABASE_REPLICA_URL: 'postgres://127.0.0.1:1' }
  const { start } = await createInstallation(environment, database)
  const app = await start('api')
  expect((await clientOf(app)(aboutUs, {})).about.content).toContain('Sum28')
  expect(await readsOf(app, 'content')).toEqual({ replica: 0, primary: 1 })
})
