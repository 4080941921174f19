/** Proposals of a player for a transfer: after earlier ones, and while others decide. */
import { expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import {
  beginWithoutRetry,
  somebodyWaits,
  withoutRetry,
} from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import {
  confirmProposal,
  dismiss,
  proposeAssignment,
  refuseProposal,
  reopen,
} from './unmatched-transfer.ts'

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
  const within = (by: Queryable) => ({ ...by, inTransaction: true }) as const
  const reason = 'a test'
  return {
    ...{ database, db, owner, player },
    propose: (by: Queryable = db) =>
      proposeAssignment(within(by), { ...KEY, playerId: player, note: 'x', session: ann }),
    confirm: (id = 1, by: Queryable = db) =>
      confirmProposal(within(by), { id, session: ben, onDay: '2026-11-20' }),
    refuse: (id = 1, by: Queryable = db) =>
      refuseProposal(within(by), { id, session: ben, reason }),
    dismiss: (by: Queryable = db) => dismiss(within(by), { ...KEY, session: ann, reason }),
    reopen: (by: Queryable = db) => reopen(within(by), { ...KEY, session: ann, reason }),
    /** All proposals and dismissals, in their order. */
    states: async () => {
      const rows = await owner.query<{ state: string }>(
        `select case when player_id is null and state = 'confirmed' then 'dismissed' else state end as state
         from deposits.assignment order by id`,
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
  expect(await states()).toEqual(['refused', 'refused', 'dismissed'])
  await database.freezeClock(AT + 2_000)
  expect(await reopen()).toBe('waiting')
  expect(await reopen()).toBe('not_dismissed')
  expect(await states()).toEqual(['refused', 'refused', 'refused'])
  const rows = await owner.query('select decided_at from deposits.assignment order by id')
  expect(rows).toEqual([AT, AT + 1_000, AT + 2_000].map((decided_at) => ({ decided_at })))
  expect(await propose()).toBe(4)
})

it.each(['confirm', 'refuse'] as const)(
  'a proposal waits for a dismissal that has begun and not yet refused it, when somebody would %s it',
  async (act) => {
    const { database, propose, dismiss, states, cash, ...does } = await unmatched()
    await propose()
    const dismissing = await beginWithoutRetry(database.db)
    // A dismissal locks the transfer first: to propose again does the same, and changes nothing.
    expect(await propose(dismissing)).toBe('already_proposed')
    const second = does[act](1, withoutRetry(database.db)).catch((error: Error) => error.message)
    await somebodyWaits(database)
    expect(await dismiss(dismissing)).toBe('dismissed')
    await dismissing.commit()
    expect(await second).toBe('decided')
    expect([await states(), await cash()]).toEqual([['refused', 'dismissed'], 0n])
  },
)

it.each(['confirm', 'refuse'] as const)(
  'of two who decide on a proposal at once the second, who would %s it, waits and is too late',
  async (act) => {
    const { database, db, owner, propose, confirm, states, cash, ...does } = await unmatched()
    await propose()
    let second: Promise<string> | undefined
    await db.transaction(async (tx) => {
      expect(await confirm(1, tx)).toBe('confirmed')
      second = (act === 'confirm' ? confirm() : does.refuse()).catch(
        (error: Error) => error.message,
      )
      await somebodyWaits(database)
    })
    expect(await second).toBe('decided')
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
  const { database, db, dismiss, reopen, states } = await unmatched()
  let second: Promise<string> | undefined
  await db.transaction(async (tx) => {
    expect(await dismiss(tx)).toBe('dismissed')
    second = dismiss().catch((error: Error) => error.message)
    await somebodyWaits(database)
  })
  expect(await second).toBe('decided')
  await db.transaction(async (tx) => {
    expect(await reopen(tx)).toBe('waiting')
    second = reopen().catch((error: Error) => error.message)
    await somebodyWaits(database)
  })
  expect(await second).toBe('not_dismissed')
  expect(await states()).toEqual(['refused'])
})
