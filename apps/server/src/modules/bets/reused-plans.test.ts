/** What is read all the time, or of all months, is planned once for a connection: planning takes longer than reading. */
import { expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '#src/db/database.ts'
import { latestResults } from '#src/modules/rounds/results.ts'
import { roundByIssue } from '#src/modules/rounds/round-store.ts'
import { statementOf } from '#src/modules/wallet/wallet-store.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { PATIENT_TO_CONNECT } from '#testing/requests/patience.ts'
import { feedOfRoom, historyOf, totalsOf } from './bet-store.ts'

/** PostgreSQL plans a prepared statement anew this often before it compares one plan for all values. */
const FIRST_PLANS = 5

const DAY_MS = 86_400_000

const year = (repeat: number) => ({
  playerId: repeat,
  from: Date.now() - 360 * DAY_MS,
  until: Date.now(),
})

/** Reads that every room repeats each second or two, and those of a player's months. */
const READS: Record<string, (db: Database, repeat: number) => Promise<unknown>> = {
  'the feed of a room': (db, repeat) => feedOfRoom(db, { roomId: 11, after: repeat, limit: 50 }),
  'the latest feed of a room': (db) => feedOfRoom(db, { roomId: 11, after: null, limit: 50 }),
  'the latest results of a game': (db, repeat) => latestResults(db, 1 + (repeat % 4)),
  'a page of the history': (db, repeat) =>
    historyOf(db, { ...year(repeat), statuses: ['won', 'lost'], limit: 20, offset: 1 + repeat }),
  'a sum of the history': (db, repeat) => totalsOf(db, { ...year(repeat), statuses: ['won'] }),
  'a page of the statement': (db, repeat) =>
    statementOf(db, { ...year(repeat), kinds: ['stake'], limit: 20, offset: 1 + repeat }),
  'a round': (db, repeat) => roundByIssue(db, { gameId: 1, issue: String(20261120100 + repeat) }),
}

it.each(Object.keys(READS))('%s is read by one plan, whatever the values', async (name) => {
  const { applicationUrl } = await createTestDatabase()
  const db = openDatabase(applicationUrl, {
    connectionsMax: 1,
    limits: PATIENT_TO_CONNECT,
  })
  onTestFinished(() => db.close())
  for (let repeat = 0; repeat < FIRST_PLANS + 5; repeat += 1) await READS[name]?.(db, repeat)
  const plans = await db.query<{ own: number; shared: number }>(
    'select custom_plans::integer as own, generic_plans::integer as shared from pg_prepared_statements',
  )
  expect(plans.length).toBeGreaterThan(0)
  expect(plans).toEqual(plans.map(() => ({ own: FIRST_PLANS, shared: 5 })))
})
