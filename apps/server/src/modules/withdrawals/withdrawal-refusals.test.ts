/** Each refusal of a withdrawal by the database, on both sides of its limit, and what never changes afterwards. */
import { describe, expect, it } from 'vitest'
import { callFunction, only } from '#src/db/database.ts'
import { payoutReference, referenceKey } from '#src/formats/payment-reference.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { requestAmount } from './withdrawal-store.ts'
import { writeWithdrawalTerms } from './withdrawal-terms.ts'

const U = 1_000_000n
const AT = Date.parse('2026-11-20T12:00:00Z')
const DAY_MS = 86_400_000

async function addMethod({ owner }: TestDatabase, playerId: number, kind: 'bank' | 'wallet') {
  const { id } = only(
    await owner.query<{ id: number }>(
      `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
       values ($1, $2, 'sealed', 'T…', 'test', 'TRC20') returning id`,
      [playerId, kind],
    ),
  )
  return id
}

/** Two players with 1,000 u and a wallet, two cashiers, and what they ask for. */
async function cashDesk() {
  const database = await createTestDatabase()
  const { db, owner } = database
  await writeWithdrawalTerms(owner, { holdMs: DAY_MS, twoPersonsFrom: 1_000_000n * U })
  await database.freezeClock(AT)
  const [player, other] = [await addPlayer(database), await addPlayer(database)]
  const method = await addMethod(database, player, 'bank')
  const others = await addMethod(database, other, 'bank')
  const [ann, bob] = [await staffToken(database), await staffToken(database)]
  const ask = (change: Partial<Parameters<typeof requestAmount>[1]> = {}) =>
    db.transaction((tx) =>
      requestAmount(tx, {
        ...{ playerId: player, payMethodId: method, amount: 100n * U, onDay: '2026-11-20' },
        ...{ key: null, inputHash: '00' },
        ...change,
      }),
    )
  return {
    ...{ database, db, owner, player, other, method, others, ann, bob, ask },
    reasonFor: async (change: Parameters<typeof ask>[0] = {}) => (await ask(change)).reason,
    requested: async (change: Parameters<typeof ask>[0] = {}) =>
      Number((await ask(change)).withdrawalId),
    approved: (id: number, session = ann) =>
      db.transaction((tx) => callFunction<string>(tx, 'withdrawals.approve', id, session)),
    rejected: (id: number, session = ann) =>
      db.transaction((tx) => callFunction<string>(tx, 'withdrawals.reject', id, session, 'a test')),
    paid: (id: number, reference: string, session = bob) =>
      db.transaction((tx) =>
        callFunction<string>(
          ...([tx, 'withdrawals.record_payout', id, session, payoutReference(reference)] as const),
          referenceKey(reference),
        ),
      ),
  }
}

describe('a request is refused', () => {
  it('as account_locked for a player who is frozen, also if that happens meanwhile', async () => {
    const { database, owner, player, ask, ann, db } = await cashDesk()
    let asking: ReturnType<typeof ask> | undefined
    await db.transaction(async (tx) => {
      await tx.query(`select staff.freeze_player($1, 'x', $2)`, [player, ann])
      asking = ask()
      await somebodyWaits(database)
    })
    expect((await asking)?.reason).toBe('account_locked')
    expect((await ask()).reason).toBe('account_locked')
    expect(await cashOf(database, player)).toBe(1_000n * U)
    await expectAlwaysTrue(owner)
  })

  it('as pay_method_missing for a method that does not exist, was replaced, or is another player’s', async () => {
    const { owner, others, method, reasonFor } = await cashDesk()
    expect(await reasonFor({ payMethodId: 999 })).toBe('pay_method_missing')
    expect(await reasonFor({ payMethodId: others })).toBe('pay_method_missing')
    await owner.query('update withdrawals.pay_method set replaced_at = app.now() where id = $1', [
      method,
    ])
    expect(await reasonFor()).toBe('pay_method_missing')
  })

  it('as withdrawal_on_hold until the last instant of the hold, and not after it', async () => {
    const { database, owner, player, reasonFor } = await cashDesk()
    await owner.query('update accounts.player set sensitive_changed_at = app.now() where id = $1', [
      player,
    ])
    await database.freezeClock(AT + DAY_MS - 1)
    expect(await reasonFor()).toBe('withdrawal_on_hold')
    await database.freezeClock(AT + DAY_MS)
    expect(await reasonFor()).toBeNull()
  })

  it('as withdrawal_pending while the player has a pending one, even if that is not committed', async () => {
    const { database, db, other, others, player, method, requested, ask, reasonFor, rejected } =
      await cashDesk()
    const first = await requested()
    expect(await reasonFor()).toBe('withdrawal_pending')
    expect(await reasonFor({ playerId: other, payMethodId: others })).toBeNull()
    expect(await rejected(first)).toBe('rejected')
    let asking: ReturnType<typeof ask> | undefined
    await db.transaction(async (tx) => {
      await requestAmount(tx, {
        ...{ playerId: player, payMethodId: method, amount: 100n * U, onDay: '2026-11-20' },
        ...{ key: null, inputHash: '00' },
      })
      asking = ask()
      await somebodyWaits(database)
    })
    expect((await asking)?.reason).toBe('withdrawal_pending')
    await expectAlwaysTrue(database.owner)
  })

  it('as insufficient_balance for a cent more than the free balance, and not for all of it', async () => {
    const { database, owner, player, reasonFor, requested, approved } = await cashDesk()
    expect(await approved(await requested({ amount: 400n * U }))).toBe('approved')
    expect(await reasonFor({ amount: 600n * U + 10_000n })).toBe('insufficient_balance')
    expect(await reasonFor({ amount: 600n * U })).toBeNull()
    expect(await cashOf(database, player)).toBe(0n)
    await expectAlwaysTrue(owner)
  })

  it('by its key, and each key keeps its own result', async () => {
    const { owner, player, other, others, ask, rejected } = await cashDesk()
    const one = await ask({ key: 'one' })
    expect(one).toMatchObject({ reason: null, cashAfter: 900n * U })
    expect(await ask({ key: 'two' })).toMatchObject({ reason: 'withdrawal_pending' })
    expect(await ask({ key: 'one' })).toMatchObject({ reason: 'replay', withdrawalId: null })
    expect(
      await ask({ key: 'one', playerId: other, payMethodId: others, amount: 9_999n * U }),
    ).toMatchObject({ reason: 'insufficient_balance' })
    await rejected(Number(one.withdrawalId))
    expect(await ask({ key: 'two' })).toMatchObject({ reason: 'replay' })
    expect(
      await owner.query(
        'select player_id as player, key, result from wallet.idempotency_key order by player_id, key',
      ),
    ).toEqual([
      { player, key: 'one', result: { withdrawal_id: Number(one.withdrawalId) } },
      { player, key: 'two', result: { reason: 'withdrawal_pending' } },
      { player: other, key: 'one', result: { reason: 'insufficient_balance' } },
    ])
  })
})

describe('a decision is refused', () => {
  it('for a withdrawal that does not exist, is decided, not approved, or paid', async () => {
    const { owner, requested, approved, rejected, paid, database, player } = await cashDesk()
    for (const decided of [approved(999), rejected(999), paid(999, 'a')]) {
      expect(await decided).toBe('not_found')
    }
    const id = await requested()
    expect(await paid(id, 'a')).toBe('not_approved')
    expect(await rejected(id)).toBe('rejected')
    for (const decided of [approved(id), rejected(id)]) expect(await decided).toBe('decided')
    expect(await paid(id, 'a')).toBe('not_approved')
    expect(await cashOf(database, player)).toBe(1_000n * U)

    const second = await requested({ amount: 200n * U })
    expect(await approved(second)).toBe('approved')
    for (const decided of [approved(second), rejected(second)])
      expect(await decided).toBe('decided')
    expect(await paid(second, 'a')).toBe('paid')
    expect(await paid(second, 'b')).toBe('paid_already')
    expect(await cashOf(database, player)).toBe(800n * U)
    await expectAlwaysTrue(owner)
  })

  it('for a payout whose reference another has, or by a person who approved, first or last', async () => {
    const { owner, requested, approved, paid, ann, bob, database } = await cashDesk()
    const cat = await staffToken(database)
    await writeWithdrawalTerms(owner, { holdMs: 0, twoPersonsFrom: 300n * U })
    const first = await requested({ amount: 100n * U })
    expect(await approved(first)).toBe('approved')
    expect(await paid(first, 'a', ann)).toBe('same_person')
    expect(await paid(first, 'a')).toBe('paid')
    const two = await requested({ amount: 300n * U })
    expect(await approved(two)).toBe('first')
    expect(await approved(two)).toBe('same_person')
    expect(await approved(two, bob)).toBe('approved')
    for (const approver of [ann, bob]) expect(await paid(two, 'b', approver)).toBe('same_person')
    expect(await paid(two, 'A', cat)).toBe('reference_used')
    expect(await paid(two, 'b', cat)).toBe('paid')
    await expectAlwaysTrue(owner)
  })
})

describe('of a withdrawal the database itself keeps', () => {
  /** Tries a change as the owner, and returns its result, without keeping it. */
  async function tried({ owner }: TestDatabase, id: number, change: string): Promise<string> {
    return owner
      .transaction(async (tx) => {
        await tx.query(`update withdrawals.withdrawal set ${change} where id = $1`, [id])
        throw new Error('could be done')
      })
      .catch((error: Error) => error.message)
  }

  it('the request, in every state', async () => {
    const { database, requested, approved } = await cashDesk()
    const id = await requested()
    const changes = [
      'player_id = player_id + 1',
      'id = id + 1',
      'pay_method_id = pay_method_id + 1',
      'amount = amount + 1',
      'booked_on = booked_on + 1',
      'cash_after = cash_after + 1',
      `requested_at = requested_at - interval '1 s'`,
    ]
    for (const change of changes) {
      expect(await tried(database, id, change), change).toContain('never changes')
    }
    await approved(id)
    for (const change of changes) {
      expect(await tried(database, id, change), change).toContain('never changes')
    }
  })

  it('the first approval, the decision, and the payout with its reference', async () => {
    const { database, owner, requested, approved, paid, bob } = await cashDesk()
    const cat = await staffToken(database)
    await writeWithdrawalTerms(owner, { holdMs: 0, twoPersonsFrom: 0n })
    const id = await requested()
    expect(
      await tried(database, id, 'first_approved_by = (select min(id) from staff.member)'),
    ).toBe('could be done')
    expect(await approved(id)).toBe('first')
    for (const change of [
      'first_approved_by = null',
      'first_approved_by = first_approved_by + 1',
    ]) {
      expect(await tried(database, id, change), change).toContain('never changes')
    }
    expect(await approved(id, bob)).toBe('approved')
    for (const change of [
      `state = 'waiting', approved_by = null, decided_at = null`,
      `state = 'rejected', approved_by = null, rejected_by = 1`,
      'approved_by = approved_by + 1',
      `decided_at = decided_at + interval '1 s'`,
      `reject_reason = 'x'`,
    ]) {
      expect(await tried(database, id, change), change).toContain('never changes')
    }
    const payout = (reference: string, key: string) =>
      tried(
        database,
        id,
        `payout_reference = '${reference}', payout_key = '${key}', paid_at = app.now(),
         payout_recorded_by = (select max(id) from staff.member)`,
      )
    expect(await payout('ref 1', 'REF1')).toBe('could be done')
    expect(await payout('ref 1', 'REF 1')).toContain('printable ASCII')
    expect(await payout('réf 1', 'RÉF1')).toContain('printable ASCII')
    expect(await payout(' ref 1', 'REF1')).toContain('printable ASCII')
    expect(await paid(id, 'ref 1', cat)).toBe('paid')
    for (const change of [
      `payout_reference = 'ref 2', payout_key = 'REF2'`,
      `payout_key = null`,
      `paid_at = paid_at + interval '1 s'`,
      'payout_recorded_by = null',
      'payout_corrected_by = payout_recorded_by',
    ]) {
      expect(await tried(database, id, change), change).toContain('never changes')
    }
    for (const change of [
      'delete from withdrawals.withdrawal',
      'truncate withdrawals.withdrawal cascade',
    ]) {
      await expect(owner.query(change)).rejects.toThrow('never change')
    }
  })
})
