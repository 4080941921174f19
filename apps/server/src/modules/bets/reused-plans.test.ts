/** What is read all the time, or of all months, is planned once for a connection: planning takes longer than reading. */
import { expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '#src/db/database.ts'
import { latestResults } from '#src/modules/rounds/results.ts'
import { roundByIssue } from '#src/modules/rounds/round-store.ts'
import { statementOf } from '#src/modules/wallet/wallet-store.ts'
import { PATIENT_TO_CONNECT } from '#testing/patience.ts'
import { createTestDatabase } from '#testing/test-database.ts'
import { betById, feedOfRoom, historyOf, totalsOf } from './bet-store.ts'

/** PostgreSQL plans a prepared statement anew this often before it compares one plan for all values. */
const FIRST_PLANS = 5

const DAY_MS = 86_400_000

const year = (turn: number) => ({
  playerId: turn,
  from: Date.now() - 360 * DAY_MS,
  until: Date.now(),
})

/** Reads that every room repeats each second or two, and those of a player's months. */
const READS: Record<string, (db: Database, turn: number) => Promise<unknown>> = {
  'the feed of a room': (db, turn) => feedOfRoom(db, { roomId: 11, after: turn, limit: 50 }),
  'the latest feed of a room': (db) => feedOfRoom(db, { roomId: 11, after: null, limit: 50 }),
  'the latest results of a game': (db, turn) => latestResults(db, 1 + (turn % 4)),
  'a page of the history': (db, turn) =>
    historyOf(db, { ...year(turn), statuses: ['won', 'lost'], limit: 20, offset: 1 + turn }),
  'a sum of the history': (db, turn) => totalsOf(db, { ...year(turn), statuses: ['won'] }),
  'a page of the statement': (db, turn) =>
    statementOf(db, { ...year(turn), kinds: ['stake'], limit: 20, offset: 1 + turn }),
  'a bet': (db, turn) => betById(db, { playerId: turn, id: BigInt(turn) }),
  'a round': (db, turn) => roundByIssue(db, { gameId: 1, issue: String(20261120100 + turn) }),
}

it.each(Object.keys(READS))('%s is read by one plan, whatever the values', async (name) => {
  const { applicationUrl } = await createTestDatabase()
  const db = openDatabase(applicationUrl, {
    connectionsMax: 1,
    limits: PATIENT_TO_CONNECT,
  })
  onTestFinished(() => db.close())
  for (let turn = 0; turn < FIRST_PLANS + 5; turn += 1) await READS[name]?.(db, turn)
  const plans = await db.query<{ own: number; shared: number }>(
    'select custom_plans::integer as own, generic_plans::integer as shared from pg_prepared_statements',
  )
  expect(plans.length).toBeGreaterThan(0)
  expect(plans).toEqual(plans.map(() => ({ own: FIRST_PLANS, shared: 5 })))
})
