/** Whether a real replica is still read if the primary or one reader is slow. */
import { Gauge, Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { PATIENT_TO_CONNECT } from '#testing/patience.ts'
import { type ReplicatedServer, startReplicatedServer } from '#testing/replicated-server.ts'
import { eventually } from '#testing/test-app.ts'
import { createTestDatabase } from '#testing/test-database.ts'
import { type Database, openDatabase, type PoolOptions } from './database.ts'
import { openOldReads } from './old-reads.ts'

let server: ReplicatedServer

beforeAll(async () => {
  server = await startReplicatedServer()
})

afterAll(() => server?.stop())

/**
 * @param options `readLimits`: the time limits for a read of the replica; `isFull`: all connections for requests to
 *   the primary are in use the whole time
 */
async function reading({
  readLimits = {},
  isFull = false,
}: {
  readLimits?: PoolOptions['limits']
  isFull?: boolean
} = {}) {
  const { owner: primary } = await createTestDatabase(server.primaryUrl)
  const ending = new AsyncDisposableStack()
  onTestFinished(() => ending.disposeAsync())
  function open(url: string, options: PoolOptions): Database {
    const opened = openDatabase(url, options)
    ending.defer(() => opened.close())
    return opened
  }
  const replicaUrl = server.replicaUrl('postgres')
  const requests = open(`${server.primaryUrl}postgres`, {
    connectionsMax: 1,
    limits: PATIENT_TO_CONNECT,
  })
  if (isFull) {
    const taken = await requests.pool.connect()
    ending.defer(() => taken.release())
  }
  const metrics = new Registry()
  const warnings: string[] = []
  const reads = openOldReads({
    primary: requests,
    primaryChecks: primary,
    replicas: [
      {
        name: 'replica',
        db: open(replicaUrl, { limits: { ...PATIENT_TO_CONNECT, ...readLimits }, triesMax: 1 }),
        looks: open(replicaUrl, { connectionsMax: 1, limits: PATIENT_TO_CONNECT }),
      },
    ],
    lagMaxMs: 3_600_000,
    now: Date.now,
    metrics,
    log: { warn: (_facts, text) => warnings.push(text) },
    ending,
  })
  async function isUsed(): Promise<boolean> {
    const gauge = metrics.getSingleMetric('sum28_replica_used')
    if (!(gauge instanceof Gauge)) throw new Error('no gauge')
    return (await gauge.get()).values[0]?.value === 1
  }
  const untilUsed = () => eventually(async () => (await isUsed()) || undefined)
  return { reads, requests, isUsed, untilUsed, warnings }
}

const isReplica = 'select pg_is_in_recovery() as replica'

it('a replica comes into use while every connection for requests to the primary is taken', async () => {
  const { reads, untilUsed } = await reading({ isFull: true })
  await untilUsed()
  expect(await reads.anyTime('content').query(isReplica)).toEqual([{ replica: true }])
})

it('a read that takes too long is repeated on the primary, and others still use the replica', async () => {
  const { reads, requests, isUsed, untilUsed, warnings } = await reading({
    readLimits: { statementMs: 200 },
  })
  await untilUsed()
  let usedThen: boolean | null = null
  const slow = 'select pg_sleep(case when pg_is_in_recovery() then 3600 else 0 end)'
  await reads.ofPeriod('history', 0, async (db) => {
    if (db === requests) usedThen = await isUsed()
    return db.query(slow)
  })
  expect(usedThen).toBe(true)
  expect(warnings).toEqual(['a replica failed: the primary is read'])
})

it('a read that fails otherwise is repeated on the primary, and the replica is not used any more', async () => {
  const { reads, requests, isUsed, untilUsed } = await reading()
  await untilUsed()
  let usedThen: boolean | null = null
  await reads.ofPeriod('history', 0, async (db) => {
    if (db === requests) usedThen = await isUsed()
    else throw new Error('the connection broke')
  })
  expect(usedThen).toBe(false)
})
