/** Proposals of a player for a transfer: after earlier ones, and while others decide. */
import { expect, it } from 'vitest'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import {
  answerAfter,
  beginWithoutRetry,
  somebodyWaits,
  withoutRetry,
} from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { confirm, end, proposeAssignment } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'

const TX = 'ab'.repeat(32)
const KEY = { txId: TX, logIndex: 0 }
const AT = Date.UTC(2026, 10, 20)

/** An unmatched transfer, a player, and two cashiers: ann proposes and dismisses, and ben decides. */
async function unmatched() {
  const database = await createTestDatabase()
  await database.freezeClock(AT)
  const { db, owner } = database
  const player = await addPlayer(database, { u: 0 })
  const [ann, ben] = [await staffToken(database), await staffToken(database)]
  await owner.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
     values ($1, 0, 1, app.now(), 'T0', 'T1', 5)`,
    [TX],
  )
  /** The stores take a transaction; each of these is one statement, which is its own transaction otherwise. */
  const reason = 'a test'
  return {
    ...{ database, db, owner, player },
    propose: (by: Queryable = db) =>
      proposeAssignment(by, { ...KEY, playerId: player, session: ann }),
    confirm: (id = 1, by: Queryable = db) => confirm(by, id, ben),
    refuse: (id = 1, by: Queryable = db) => end(by, id, ben),
    dismiss: (by: Queryable = db) =>
      callFunction<string>(by, 'deposits.dismiss_transfer', ...Object.values(KEY), ann, reason),
    reopen: (by: Queryable = db) =>
      callFunction<string>(by, 'deposits.reopen_transfer', ...Object.values(KEY), ann),
    /** All proposals in their order, and the dismissal. */
    states: async () => {
      const rows = await owner.query<{ state: string }>(
        `select * from (select state from staff.proposal order by id) proposal
         union all select 'dismissed' from deposits.dismissal`,
      )
      return rows.map(({ state }) => state)
    },
    cash: () => cashOf(database, player),
  }
}

it('a transfer is proposed again after a refusal, and only once at a time', async () => {
  const { owner, propose, confirm, refuse, states, cash } = await unmatched()
  expect(await propose()).toBe(1)
  expect(await refuse()).toBe('refused')
  expect(await refuse()).toBe('decided')
  expect(await propose()).toBe(2)
  expect(await propose()).toBe('already_proposed')
  expect([await states(), await cash()]).toEqual([['refused', 'proposed'], 0n])
  expect(await confirm()).toBe('decided')
  expect(await confirm(2)).toBe('confirmed')
  expect(await propose()).toBe('decided')
  expect([await states(), await cash()]).toEqual([['refused', 'confirmed'], 5n])
  await expectAlwaysTrue(owner)
})

it('a dismissal refuses the open proposal and leaves earlier refusals as they are', async () => {
  const { database, owner, propose, refuse, dismiss, reopen, states } = await unmatched()
  await propose()
  await refuse()
  await propose()
  await database.freezeClock(AT + 1_000)
  expect(await dismiss()).toBe('dismissed')
  expect(await propose()).toBe('decided')
  expect(await states()).toEqual(['refused', 'withdrawn', 'dismissed'])
  await database.freezeClock(AT + 2_000)
  expect(await reopen()).toBe('waiting')
  expect(await reopen()).toBe('not_dismissed')
  expect(await states()).toEqual(['refused', 'withdrawn'])
  const rows = await owner.query('select ended_at from staff.proposal order by id')
  expect(rows).toEqual([AT, AT + 1_000].map((ended_at) => ({ ended_at })))
  expect(await propose()).toBe(3)
})

it('who confirms a proposal waits for a dismissal that has begun and not yet ended it', async () => {
  const { database, propose, confirm, dismiss, states, cash } = await unmatched()
  await propose()
  const dismissing = await beginWithoutRetry(database.db)
  // A dismissal locks the transfer first: to propose again does the same, and changes nothing.
  expect(await propose(dismissing)).toBe('already_proposed')
  const second = confirm(1, withoutRetry(database.db)).catch((error: Error) => error.message)
  await somebodyWaits(database)
  expect(await dismiss(dismissing)).toBe('dismissed')
  await dismissing.commit()
  expect(await second).toBe('decided')
  expect([await states(), await cash()]).toEqual([['withdrawn', 'dismissed'], 0n])
})

it.each(['confirm', 'refuse'] as const)(
  'of two who decide on a proposal at once the second, who would %s it, waits and is too late',
  async (act) => {
    const { database, db, owner, propose, confirm, states, cash, ...does } = await unmatched()
    await propose()
    const second = await answerAfter(database, {
      first: async (tx) => expect(await confirm(1, tx)).toBe('confirmed'),
      second: () => (act === 'confirm' ? confirm() : does.refuse()),
    })
    expect(second).toBe('decided')
    expect([await states(), await cash()]).toEqual([['confirmed'], 5n])
    await expectAlwaysTrue(owner)
  },
)

it('what is not there is neither confirmed nor refused', async () => {
  const { confirm, refuse, propose, states } = await unmatched()
  await propose()
  expect([await confirm(2), await refuse(2)]).toEqual(['not_found', 'not_found'])
  expect(await states()).toEqual(['proposed'])
})

it('of two who reopen a dismissed transfer at once, or dismiss it, the second waits and is too late', async () => {
  const { database, dismiss, reopen, states } = await unmatched()
  const second = await answerAfter(database, {
    first: async (tx) => expect(await dismiss(tx)).toBe('dismissed'),
    second: () => dismiss(),
  })
  expect(second).toBe('decided')
  const late = await answerAfter(database, {
    first: async (tx) => expect(await reopen(tx)).toBe('waiting'),
    second: () => reopen(),
  })
  expect(late).toBe('not_dismissed')
  expect(await states()).toEqual([])
})

it('of two who propose an owner of the same transfer at once the second waits and finds the first', async () => {
  const { database, propose, states } = await unmatched()
  const second = await answerAfter(database, {
    first: async (tx) => expect(await propose(tx)).toBe(1),
    second: () => propose(),
  })
  expect(second).toBe('already_proposed')
  expect(await states()).toEqual(['proposed'])
})
