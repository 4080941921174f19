/** What may be done with a transfer, by its earlier decisions. That it is decided once: proposal-steps.test.ts. */

import { describe, expect, it } from 'vitest'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { exclude } from '#src/modules/protection/protection-store.ts'
import { insertProposal } from '#src/modules/staff/proposal.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, giveAddress, takeBlock } from '#testing/database/fixtures.ts'
import {
  answerAfter,
  beginWithoutRetry,
  somebodyWaits,
  withoutRetry,
} from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, rolledBack } from '#testing/database/test-database.ts'
import {
  confirm,
  confirmRefund,
  end,
  propose,
  proposeAssignment,
  proposeRefund,
} from '#testing/people/proposals.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'
import type { TransferKey } from './unmatched-transfer.ts'

const dismiss = (db: Queryable, { txId, logIndex }: TransferKey, session: string) =>
  db.value<string>(`select answer from deposits.dismiss_transfer($1, $2, $3, 'a test')`, [
    txId,
    logIndex,
    session,
  ])
const reopen = (db: Queryable, { txId, logIndex }: TransferKey, session: string) =>
  callFunction<string>(db, 'deposits.reopen_transfer', txId, logIndex, session)

const TX = 'ab'.repeat(32)
const KEY = { txId: TX, logIndex: 0 }
const AMOUNT = 7_000_000n
type State = 'credited by the chain' | 'waiting' | 'proposed' | 'assigned' | 'dismissed' | 'nowhere'

/** A transfer in a state, with two cashiers and the functions as they call them. */
async function transferThatIs(state: State) {
  const database = await createTestDatabase()
  const { db, owner } = database
  const player = await addPlayer(database, { u: 0 })
  const [ann, bob] = [await staffToken(database), await staffToken(database)]
  if (state === 'credited by the chain') await giveAddress(owner, player, 'T1')
  await owner.query(`insert into deposits.watcher_height (chain, block) values ('c', 0)`)
  if (state !== 'nowhere') {
    await takeBlock(db, { block: 1, transfers: [{ tx: TX, to: 'T1', amount: AMOUNT }] })
  }
  const does = {
    propose: (by: Queryable = db, session = ann) =>
      proposeAssignment(by, { ...KEY, playerId: player, session }),
    confirm: (by: Queryable = db, session = bob, id = 1) => confirm(by, id, session),
    refuse: (by: Queryable = db, session = bob, id = 1) => end(by, id, session),
    dismiss: (by: Queryable = db, session = bob) => dismiss(by, KEY, session),
    reopen: (by: Queryable = db, session = bob) => reopen(by, KEY, session),
  }
  /** All proposals in their order, and the dismissal. */
  const states = async () => {
    return owner.column<string>(`select * from (select state from staff.proposal order by id) proposal
       union all select 'dismissed' from deposits.dismissal`)
  }
  if (state === 'proposed' || state === 'assigned') await does.propose()
  if (state === 'assigned') await does.confirm()
  if (state === 'dismissed') await does.dismiss()
  return { database, db, owner, player, ann, bob, does, states }
}

const ACTS = ['propose', 'confirm', 'refuse', 'dismiss', 'reopen'] as const

/** The answers to these acts. */
const SAID: Record<State, unknown[]> = {
  'credited by the chain': ['decided', 'not_found', 'not_found', 'decided', 'not_dismissed'],
  waiting: [1, 'not_found', 'not_found', 'dismissed', 'not_dismissed'],
  proposed: ['already_proposed', 'confirmed', 'refused', 'dismissed', 'not_dismissed'],
  assigned: ['decided', 'decided', 'decided', 'decided', 'not_dismissed'],
  dismissed: ['decided', 'not_found', 'not_found', 'decided', 'waiting'],
  nowhere: ['not_found', 'not_found', 'not_found', 'not_found', 'not_found'],
}

describe('a transfer', () => {
  it.each(Object.entries(SAID) as [State, unknown[]][])(
    'that is %s can be decided as its state allows, and in no other way',
    async (state, said) => {
      const { database, owner, player, does } = await transferThatIs(state)
      const cashIn = (by: Queryable) =>
        by.value<bigint>('select cash from ledger.balance where holder_id = $1', [player])
      const before = await cashIn(owner)
      for (const [at, act] of ACTS.entries()) {
        await rolledBack(database, async (tx) => {
          expect(await does[act](tx), act).toBe(said[at])
          // Only a confirmation moves money.
          const credited = said[at] === 'confirmed' ? AMOUNT : 0n
          expect((await cashIn(tx)) - before, act).toBe(credited)
          if (credited > 0n) await expectAlwaysTrue(tx)
        })
      }
    },
  )

  it('is dismissed with its open proposal, and earlier refusals stay as they are', async () => {
    const { database, owner, does, states } = await transferThatIs('waiting')
    const at = Date.now()
    await database.freezeClock(at)
    await does.propose()
    await does.refuse()
    await does.propose()
    await database.freezeClock(at + 1_000)
    expect(await does.dismiss()).toBe('dismissed')
    expect(await states()).toEqual(['refused', 'refused', 'dismissed'])
    await database.freezeClock(at + 2_000)
    expect(await does.reopen()).toBe('waiting')
    expect(await states()).toEqual(['refused', 'refused'])
    const rows = await owner.query('select ended_at from staff.proposal order by id')
    expect(rows).toEqual([at, at + 1_000].map((ended_at) => ({ ended_at })))
    expect(await does.propose()).toBe(3)
  })

  it('whose dismissal has begun, and has not ended the proposal yet, is confirmed only after it', async () => {
    const { database, db, does, states } = await transferThatIs('proposed')
    const dismissing = await beginWithoutRetry(db)
    // A dismissal locks the transfer first: to propose again does the same, and changes nothing.
    expect(await does.propose(dismissing)).toBe('already_proposed')
    const second = does.confirm(withoutRetry(db)).catch((error: Error) => error.message)
    await somebodyWaits(database)
    expect(await does.dismiss(dismissing)).toBe('dismissed')
    await dismissing.commit()
    expect(await second).toBe('decided')
    expect(await states()).toEqual(['refused', 'dismissed'])
  })

  it.each([
    ['confirm', 'proposed', 'dismiss', 'decided'],
    ['confirm', 'proposed', 'propose', 'decided'],
    ['dismiss', 'waiting', 'dismiss', 'decided'],
    ['reopen', 'dismissed', 'reopen', 'not_dismissed'],
  ] as const)(
    'waits while somebody would %s it that is %s, when another would %s it',
    async (act, state, later, said) => {
      const { database, owner, does, player } = await transferThatIs(state)
      const answer = await answerAfter(database, {
        first: (tx) => does[act](tx),
        second: () => does[later](),
      })
      expect(answer).toBe(said)
      expect(await cashOf(database, player)).toBe(act === 'confirm' ? AMOUNT : 0n)
      await expectAlwaysTrue(owner)
    },
  )
})

it('of three transfers in one transaction each is decided by itself', async () => {
  const { database, owner, db, player, ann, bob } = await transferThatIs('nowhere')
  const of = { tx: TX, to: 'T1' }
  const transfers = [0, 1, 2].map((log) => ({ ...of, log, amount: AMOUNT + BigInt(log) }))
  await takeBlock(db, { block: 1, transfers })
  const at = (logIndex: number) => ({ txId: TX, logIndex })
  const proposed = (logIndex: number) =>
    proposeAssignment(db, { ...at(logIndex), playerId: player, session: ann })
  const dismissed = (logIndex: number) => dismiss(db, at(logIndex), bob)
  const reopened = (logIndex: number) => reopen(db, at(logIndex), bob)
  const states = () =>
    owner.column<string>('select state from deposits.unmatched_transfer order by log_index')

  expect(await proposed(1)).toBe(1)
  expect(await states()).toEqual(['waiting', 'proposed', 'waiting'])
  expect(await confirm(db, 1, bob)).toBe('confirmed')
  expect(await states()).toEqual(['waiting', 'assigned', 'waiting'])
  expect(await cashOf(database, player)).toBe(AMOUNT + 1n)
  expect(await proposed(2)).toBe(2)
  expect([await dismissed(0), await dismissed(1)]).toEqual(['dismissed', 'decided'])
  expect(await states()).toEqual(['dismissed', 'assigned', 'proposed'])
  expect([await reopened(1), await reopened(2)]).toEqual(['not_dismissed', 'not_dismissed'])
  // The transaction has no fourth.
  expect([await dismissed(3), await reopened(3)]).toEqual(['not_found', 'not_found'])
  expect(await reopened(0)).toBe('waiting')
  // A frozen player gets his money too.
  await changePlayer(database, player, `state = 'frozen'`)
  expect(await confirm(db, 2, bob)).toBe('confirmed')
  expect(await states()).toEqual(['waiting', 'assigned', 'assigned'])
  expect(await cashOf(database, player)).toBe(2n * AMOUNT + 3n)
  await expectAlwaysTrue(owner)
})

describe('an assigned transfer', () => {
  /** Takes all of it back from a player, without regard to what a role may correct. */
  async function takingBack(state: Awaited<ReturnType<typeof transferThatIs>>) {
    const { database, db, owner, ann, bob } = state
    await owner.query('update wallet.adjustment_limit set amount_max = 0')
    const assign = async (playerId: number) => {
      const id = await proposeAssignment(db, { ...KEY, playerId, session: ann })
      expect(await confirm(db, Number(id), bob)).toBe('confirmed')
      return Number(id)
    }
    const takeBack = (playerId: number, deposit: number, amount = AMOUNT, held?: bigint) => {
      const subject = held ? `held_deposit:${held}` : `player:${playerId}`
      const content = { player_id: playerId, amount: Number(amount), deposit }
      const draft = { kind: 'debit', subject, content, reason: 'x', session: ann } as const
      return insertProposal(db, draft)
    }
    const confirmed = async ({ id }: { id: bigint | null }) => confirm(db, Number(id), bob)
    /** What is wrong in the books, and beside the chain. */
    const compared = async () => {
      await expectAlwaysTrue(owner)
      const onChain = JSON.stringify([
        { tx_id: TX, log_index: 0, block: 1, to_address: 'T1', amount: String(AMOUNT) },
      ])
      return owner.column<string>(
        `select kind from deposits.compare_with_chain($1::jsonb, 0, 1) union all
         select 'stray' from deposits.stray_deposits('-infinity') union all
         select 'sums' from console_money.deposited_before(app.now() + interval '1 s') seen
         where by_chain is distinct from (select sum(case when destination = 'house:treasury' then -amount else amount end)
           from ledger.posting where 'house:treasury' in (source, destination))`,
        [onChain],
      )
    }
    const cash = (playerId: number) => cashOf(database, playerId)
    return { assign, takeBack, confirmed, compared, cash }
  }

  it('is taken back whole by two persons, and is then assigned anew, also to the same player', async () => {
    const state = await transferThatIs('assigned')
    const { database, owner, player, bob } = state
    const { assign, takeBack, confirmed, compared, cash } = await takingBack(state)
    await owner.query(`insert into deposits.spare_address values ('k', 0, 'T1')`)
    const other = await addPlayer(database, { u: 0 })
    // The watcher reads its block again, as after a restart.
    const transfers = [{ tx: TX, to: 'T1', amount: AMOUNT }]
    expect(await takeBlock(database.db, { block: 1, transfers, again: true })).toEqual([])
    expect((await takeBack(other, 1)).answer).toBe('deposit_missing')
    expect((await takeBack(player, 1, AMOUNT - 1n)).answer).toBe('part_of_deposit')
    const made = await takeBack(player, 1)
    expect((await takeBack(player, 1)).answer).toBe('already_proposed')
    expect(await confirmed(made)).toBe('confirmed')
    expect([await cash(player), await compared()]).toEqual([0n, ['unmatched']])
    expect((await takeBack(player, 1)).answer).toBe('above_deposit')

    const second = await assign(other)
    expect([await cash(other), await compared()]).toEqual([AMOUNT, []])
    expect(await confirmed(await takeBack(other, second))).toBe('confirmed')
    await assign(player)
    expect([await cash(player), await cash(other), await compared()]).toEqual([AMOUNT, 0n, []])
    const found =
      'select player_id, decided_by is not null as decided, state from deposits.unmatched_transfer'
    expect(await owner.query(found)).toEqual([
      { player_id: player, decided: true, state: 'assigned' },
    ])
    expect(await dismiss(owner, KEY, bob)).toBe('decided')
  })

  it('that is held is taken back from there, and held again for another', async () => {
    const state = await transferThatIs('waiting')
    const { database, db, owner, player, ann, bob } = state
    const { assign, takeBack, confirmed, compared } = await takingBack(state)
    await owner.query(`insert into deposits.spare_address values ('k', 0, 'T1')`)
    const other = await addPlayer(database, { u: 0 })
    for (const playerId of [player, other]) {
      await exclude(db, { playerId, kind: 'time_out', lasting: '24 hours' })
    }
    const first = await assign(player)
    const held = await owner.value<bigint>('select id from protection.held_deposit')
    expect(await confirmed(await takeBack(player, first, AMOUNT, held))).toBe('confirmed')
    expect(await compared()).toEqual(['unmatched'])
    const second = await assign(other)
    expect(await compared()).toEqual([])
    expect(
      await owner.query('select player_id, state from protection.held_deposit order by id'),
    ).toEqual([
      { player_id: player, state: 'taken_back' },
      { player_id: other, state: 'held' },
    ])
    const refund = { id: await owner.value<bigint>('select max(id) from protection.held_deposit') }
    expect(await proposeRefund(db, { ...refund, session: ann })).toBe('proposed')
    const payment = 'cd'.repeat(32)
    expect(await confirmRefund(db, { ...refund, session: bob, payment })).toBe('confirmed')
    expect((await takeBack(other, second)).answer).toBe('decided')
  })
})

describe('the database itself', () => {
  it('credits a transfer as it came and once, to the player of its own confirmed assignment', async () => {
    const { database, owner, player, does } = await transferThatIs('proposed')
    const other = await addPlayer(database, { u: 0 })
    await owner.query(
      `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
       select tx_id, 1, block, block_at, from_address, to_address, amount from deposits.transfer`,
    )
    const credit = { player_id: `${player}`, credited_at: 'app.now()', assignment: '1' }
    const change = (by: Queryable, set: Record<string, string>, log = 0) =>
      by.query(
        `update deposits.transfer set ${Object.entries(set).map((each) => each.join(' = '))}
         where log_index = $1`,
        [log],
      )
    const stays = async () => {
      for (const set of [credit, { amount: '1' }]) {
        await expect(change(owner, set)).rejects.toThrow('stays as it came')
      }
    }
    await stays()
    /** What the owner is told who credits it in some other way, once it is confirmed; `was`: as it is then. */
    const tried = (other: Record<string, string>, { log = 0, was = {} } = {}) =>
      owner
        .transaction(async (tx) => {
          await tx.query(
            `update staff.proposal set state = 'confirmed', confirmed_at = app.now(),
               confirmed_by = (select max(id) from staff.member)`,
          )
          if (Object.keys(was).length > 0) {
            await tx.query('alter table deposits.transfer disable trigger transfer_guarded')
            await change(tx, was)
            await tx.query('alter table deposits.transfer enable trigger transfer_guarded')
          }
          await change(tx, { ...credit, ...other }, log)
          throw new Error('could be done')
        })
        .catch((error: Error) => error.message)
    expect(await tried({})).toBe('could be done')
    for (const set of [
      { player_id: `${other}` },
      { credited_at: 'null' },
      { tx_id: `'${'cd'.repeat(32)}'` },
      { log_index: '2' },
      { block: '2' },
      { block_at: `block_at + interval '1 s'` },
      { from_address: `'T9'` },
      { to_address: `'T9'` },
      { amount: 'amount + 1' },
    ]) {
      expect(await tried(set), JSON.stringify(set)).toContain('stays as it came')
    }
    // By the assignment of another in its transaction; or if only its player, or only its credit, was noted.
    expect(await tried({}, { log: 1 })).toContain('stays as it came')
    for (const was of [{ player_id: `${other}` }, { credited_at: 'app.now()' }]) {
      expect(await tried({}, { was }), JSON.stringify(was)).toContain('stays as it came')
    }
    await does.confirm()
    await stays()
  })

  it('allows a dismissal to be withdrawn, and no change of it', async () => {
    const { owner, does } = await transferThatIs('dismissed')
    await expect(owner.query(`update deposits.dismissal set reason = 'y'`)).rejects.toThrow(
      'is refused',
    )
    expect(await does.reopen()).toBe('waiting')
  })

  it('takes no assignment without a player, of another amount, or of another spelling of the transfer', async () => {
    const { database, player, ann } = await transferThatIs('waiting')
    const proposed = (content: object, subject = `transfer:${TX}:0`) =>
      propose(database.db, { kind: 'assignment', subject, content, session: ann })
    const amount = String(AMOUNT)
    await expect(proposed({ amount })).rejects.toThrow('names a player')
    await expect(proposed({ player_id: player })).rejects.toThrow('the amount of its transfer')
    await expect(proposed({ player_id: player, amount: '7' })).rejects.toThrow('the amount')
    for (const other of [`transfer:${TX}:00`, `transfer:${TX}`, `TRANSFER:${TX}:0`]) {
      expect(await proposed({ player_id: player, amount }, other), other).toBe('not_found')
    }
  })
})
