/** The lag of a real replica, on a clock that the test sets. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PATIENT_TO_CONNECT } from '#testing/patience.ts'
import { type ReplicatedServer, startReplicatedServer } from '#testing/replicated-server.ts'
import { eventually } from '#testing/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { type Database, openDatabase } from './database.ts'
import { replicaWatch } from './replica-watch.ts'

let server: ReplicatedServer
let replica: Database

beforeAll(async () => {
  server = await startReplicatedServer()
  replica = openDatabase(server.replicaUrl('postgres'), {
    connectionsMax: 2,
    limits: PATIENT_TO_CONNECT,
  })
})

afterAll(async () => {
  await replica?.close()
  await server?.stop()
})

function watched({ owner: primary }: TestDatabase) {
  const clock = { now: 1_000 }
  const watch = replicaWatch({ primary, replica, lagMaxMs: 5_000, now: () => clock.now })
  /** Checks until the replica has everything that the primary had at the beginning. */
  const catchUp = () =>
    eventually(async () => {
      await watch.look()
      return watch.lagMs() === 0 || undefined
    })
  return { clock, watch, catchUp }
}

const write = ({ owner }: TestDatabase) =>
  owner.query(`update app.test_clock set shift = shift + interval '1 microsecond'`)

it('a replica is as far behind as the latest instant whose log it has replayed', async () => {
  const database = await createTestDatabase(server.primaryUrl)
  const { clock, watch, catchUp } = watched(database)
  expect([watch.lagMs(), watch.isUsable()]).toEqual([null, false])
  await catchUp()
  expect(watch.isUsable()).toBe(true)

  await server.pauseReplay()
  try {
    await catchUp()
    await write(database)
    clock.now = 2_000
    await watch.look()
    expect([watch.lagMs(), watch.isUsable()]).toEqual([1_000, true])
    clock.now = 6_000
    expect([watch.lagMs(), watch.isUsable()]).toEqual([5_000, true])
    clock.now = 6_001
    expect([watch.lagMs(), watch.isUsable()]).toEqual([5_001, false])
    await watch.look()
    expect(watch.isUsable()).toBe(false)
  } finally {
    await server.resumeReplay()
  }
  await catchUp()
  expect(watch.isUsable()).toBe(true)
})

it('a replica with a failed read is not used until it answers again', async () => {
  const database = await createTestDatabase(server.primaryUrl)
  const { watch, catchUp } = watched(database)
  await catchUp()
  watch.leaveOut()
  expect(watch.isUsable()).toBe(false)
  await watch.look()
  expect(watch.isUsable()).toBe(true)
})

it('a server that is no replica, such as one that has become the primary, is not used', async () => {
  const { owner: primary, db } = await createTestDatabase(server.primaryUrl)
  const watch = replicaWatch({ primary, replica: db, lagMaxMs: 5_000 })
  await watch.look()
  expect([watch.lagMs(), watch.isUsable()]).toEqual([null, false])
})

it('if the primary does not answer, the replica’s data ages, and it is read until the bound', async () => {
  const database = await createTestDatabase(server.primaryUrl)
  const { clock, watch, catchUp } = watched(database)
  await catchUp()
  await database.takeAway()
  clock.now = 6_000
  await watch.look()
  expect([watch.lagMs(), watch.isUsable()]).toEqual([5_000, true])
  clock.now = 6_001
  await watch.look()
  expect([watch.lagMs(), watch.isUsable()]).toEqual([5_001, false])
  await database.giveBack()
  await catchUp()
  expect(watch.isUsable()).toBe(true)
})
