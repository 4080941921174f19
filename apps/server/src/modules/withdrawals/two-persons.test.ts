/** Who may approve and pay; the database decides it by who approved and paid before. */
import { describe, expect, it } from 'vitest'
import { callFunction, only } from '#src/db/database.ts'
import { referenceKey } from '#src/formats/payment-reference.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { requestAmount, withdrawalById } from './withdrawal-store.ts'
import { writeWithdrawalTerms } from './withdrawal-terms.ts'

const HOUR_MS = 3_600_000
const AT = Date.parse('2026-11-20T12:00:00Z')

/** A house with a threshold of 10,000 u, three cashiers, and a player with a million. */
async function house() {
  const database = await createTestDatabase()
  await writeWithdrawalTerms(database.owner, { holdMs: 0, twoPersonsFrom: 10_000_000_000n })
  await database.freezeClock(AT)
  const [ann, bob, cat] = [
    await staffToken(database, { role: 'finance' }),
    await staffToken(database, { role: 'finance' }),
    await staffToken(database, { role: 'owner' }),
  ]
  return { ...database, database, ann, bob, cat, player: await addCustomer(database) }
}

type Customer = { id: number; method: number }

async function addCustomer(database: TestDatabase): Promise<Customer> {
  const id = await addPlayer(database, { u: 1_000_000 })
  const { method } = only(
    await database.owner.query<{ method: number }>(
      `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
       values ($1, 'bank', 'sealed', '•••• 4242', 'test', 'Ann') returning id as method`,
      [id],
    ),
  )
  return { id, method }
}

/** Requests this many cents and returns the request's id. */
async function ask({ db }: TestDatabase, { id, method }: Customer, cents: number): Promise<number> {
  const made = await db.transaction((tx) =>
    requestAmount(tx, {
      playerId: id,
      payMethodId: method,
      amount: BigInt(cents) * 10_000n,
      onDay: '2026-11-20',
      key: null,
      inputHash: '00',
    }),
  )
  if (made.reason !== null) throw new Error(made.reason)
  return Number(made.withdrawalId)
}

const approveBy = ({ db }: TestDatabase, id: number, session: string) =>
  db.transaction((tx) => callFunction<string>(tx, 'withdrawals.approve', id, session))
const payBy = ({ db }: TestDatabase, id: number, session: string, reference = `ref ${id}`) =>
  db.transaction((tx) =>
    callFunction<string>(
      tx,
      'withdrawals.record_payout',
      id,
      session,
      reference,
      referenceKey(reference),
    ),
  )

describe('two people', () => {
  it('are required if withdrawals below the threshold together exceed it', async () => {
    const { database, ann, bob, player, owner, db } = await house()
    const first = await ask(database, player, 999_999)
    expect(await approveBy(database, first, ann)).toBe('approved')
    for (const repeat of [1, 2]) {
      const next = await ask(database, player, 999_999)
      expect((await withdrawalById(db, next))?.twoPersons, String(repeat)).toBe(true)
      expect(await approveBy(database, next, ann)).toBe('first')
      expect(await approveBy(database, next, ann)).toBe('same_person')
      expect(await approveBy(database, next, bob)).toBe('approved')
    }
    expect(await cashOf(database, player.id)).toBe(970_000_030_000n)
    await expectAlwaysTrue(owner)
  })

  it.each([
    ['at the threshold to the cent', 999_900, 'approved', 100, 'first'],
    ['a cent below it', 999_900, 'approved', 99, 'approved'],
  ] as const)('count what was approved before: %s', async (_what, one, then, two, and) => {
    const { database, ann, player } = await house()
    expect(await approveBy(database, await ask(database, player, one), ann)).toBe(then)
    expect(await approveBy(database, await ask(database, player, two), ann)).toBe(and)
  })

  it('count the last 24 hours from the approval on, and neither what is older nor another’s', async () => {
    const { database, ann, player, owner } = await house()
    expect(await approveBy(database, await ask(database, player, 900_000), ann)).toBe('approved')
    const other = await addCustomer(database)
    expect(await approveBy(database, await ask(database, other, 900_000), ann)).toBe('approved')
    const next = await ask(database, player, 900_000)
    await database.freezeClock(AT + 24 * HOUR_MS - 1)
    expect(await approveBy(database, next, await staffToken(database))).toBe('first')
    await database.freezeClock(AT + 24 * HOUR_MS)
    const third = await addCustomer(database)
    const late = await ask(database, third, 100)
    expect(await approveBy(database, late, await staffToken(database))).toBe('approved')
    // The first of two approvals is never also the second, even if one would be enough by now.
    const finance = await staffToken(database, { role: 'finance' })
    expect(await approveBy(database, next, finance)).toBe('approved')
    await expectAlwaysTrue(owner)
  })

  it.each([
    ['are required 1 ms less than 24 hours', 24 * HOUR_MS - 1, 'first'],
    ['are not required exactly 24 hours', 24 * HOUR_MS, 'approved'],
  ])('%s after the earlier approval', async (_what, ms, answer) => {
    const { database, ann, player } = await house()
    expect(await approveBy(database, await ask(database, player, 900_000), ann)).toBe('approved')
    await database.freezeClock(AT + ms)
    const next = await ask(database, player, 900_000)
    expect(await approveBy(database, next, await staffToken(database))).toBe(answer)
  })

  it('do not count what was rejected', async () => {
    const { database, ann, player, db } = await house()
    const id = await ask(database, player, 999_999)
    await db.transaction((tx) => callFunction(tx, 'withdrawals.reject', id, ann, 'no'))
    expect(await approveBy(database, await ask(database, player, 999_999), ann)).toBe('approved')
  })

  it('are as many as the terms require at the approval, whatever they were at the request', async () => {
    const { database, ann, bob, player, owner } = await house()
    const strict = { holdMs: 0, twoPersonsFrom: 1_000_000n }
    const first = await ask(database, player, 100)
    await writeWithdrawalTerms(owner, strict)
    expect(await approveBy(database, first, ann)).toBe('first')
    // The first of two approvals stays the first, even if one would have been enough.
    await writeWithdrawalTerms(owner, { ...strict, twoPersonsFrom: 10_000_000_000n })
    expect(await approveBy(database, first, ann)).toBe('same_person')
    expect(await approveBy(database, first, bob)).toBe('approved')
  })

  it('are shown to staff as required now, and for a decided one as required then', async () => {
    const { database, ann, bob, player, db } = await house()
    const one = await ask(database, player, 999_999)
    const takes = async (id: number) => (await withdrawalById(db, id))?.twoPersons
    expect(await takes(one)).toBe(false)
    await approveBy(database, one, ann)
    const two = await ask(database, player, 1)
    expect([await takes(one), await takes(two)]).toEqual([false, true])
    await approveBy(database, two, ann)
    await approveBy(database, two, bob)
    expect([await takes(one), await takes(two)]).toEqual([false, true])
  })
})

describe('a payout', () => {
  it('is not recorded by a person who approved, alone or with another', async () => {
    const { database, ann, bob, cat, player, owner } = await house()
    const small = await ask(database, player, 100)
    await approveBy(database, small, ann)
    expect(await payBy(database, small, ann)).toBe('same_person')
    expect(await payBy(database, small, bob)).toBe('paid')
    const large = await ask(database, player, 2_000_000)
    await approveBy(database, large, ann)
    await approveBy(database, large, bob)
    for (const session of [ann, bob]) {
      expect(await payBy(database, large, session)).toBe('same_person')
    }
    expect(await payBy(database, large, cat)).toBe('paid')
    await expectAlwaysTrue(owner)
  })

  it('is not recorded so by the owner of the database either', async () => {
    const { database, ann, player, owner } = await house()
    const id = await ask(database, player, 100)
    await approveBy(database, id, ann)
    await expect(
      owner.query(
        `update withdrawals.withdrawal set payout_reference = 'ref', payout_key = 'REF',
           payout_recorded_by = approved_by, paid_at = app.now()`,
      ),
    ).rejects.toThrow('paid_by_another')
  })

  it.each([
    ['a sign of no width', 'AB\u200b12', 'AB12'],
    ['another alphabet', '\u0410B12', '\u0410B12'],
    ['full width', '\uff21B12', 'AB12'],
    ['a blank at its end', 'AB12 ', 'AB12'],
    ['another’s key', 'AB12', 'AB13'],
    ['a key in small letters', 'AB12', 'ab12'],
  ])('is not written down with %s, whoever calls the database', async (_what, reference, key) => {
    const { database, ann, bob, player, db } = await house()
    const id = await ask(database, player, 100)
    await approveBy(database, id, ann)
    await expect(
      db.query('select withdrawals.record_payout($1, $2, $3, $4)', [id, bob, reference, key]),
    ).rejects.toThrow('printable ASCII')
    expect(await payBy(database, id, bob, 'AB12')).toBe('paid')
  })
})

describe('an approval', () => {
  it('waits for a freeze that is not yet committed, and is then refused', async () => {
    const { database, ann, bob, player, owner } = await house()
    const id = await ask(database, player, 100)
    let approving: Promise<unknown> | undefined
    await owner.transaction(async (tx) => {
      await tx.query(`select staff.freeze_player($1, 'x', $2)`, [player.id, ann])
      approving = approveBy(database, id, bob)
      await somebodyWaits(database)
    })
    expect(await approving).toBe('account_frozen')
    expect(await cashOf(database, player.id)).toBe(999_999_000_000n)
    await expectAlwaysTrue(owner)
  })

  it('waits for a freeze that is rolled back, and then succeeds', async () => {
    const { database, ann, bob, player, owner } = await house()
    const id = await ask(database, player, 100)
    let approving: Promise<unknown> | undefined
    await owner
      .transaction(async (tx) => {
        await tx.query(`select staff.freeze_player($1, 'x', $2)`, [player.id, ann])
        approving = approveBy(database, id, bob)
        await somebodyWaits(database)
        throw new Error('given up')
      })
      .catch(() => {})
    expect(await approving).toBe('approved')
    await expectAlwaysTrue(owner)
  })

  it.each([
    ['a role that is taken away', `update staff.member set role = 'support'`, 'forbidden'],
    ['an account that is closed', `update staff.member set active = false`, 'session_replaced'],
  ])('waits for %s and not yet committed, and then is none', async (_what, change, reason) => {
    const { database, ann, player, owner } = await house()
    const id = await ask(database, player, 100)
    let approving: Promise<unknown> | undefined
    await owner.transaction(async (tx) => {
      await tx.query(change)
      approving = approveBy(database, id, ann).catch((error: Error) => error.message)
      await somebodyWaits(database)
    })
    expect(await approving).toBe(reason)
    await expectAlwaysTrue(owner)
  })

  it('succeeds before a change of role that waits for it', async () => {
    const { database, ann, player, owner, db } = await house()
    const id = await ask(database, player, 100)
    let taking: Promise<unknown> | undefined
    await db.transaction(async (tx) => {
      expect(await callFunction(tx, 'withdrawals.approve', id, ann)).toBe('approved')
      taking = owner.query(`update staff.member set role = 'support'`)
      await somebodyWaits(database)
    })
    await taking
    expect((await withdrawalById(db, id))?.state).toBe('to_pay')
  })

  it('pays to the requested method, even if there is another one meanwhile', async () => {
    const { database, ann, player, owner, db } = await house()
    const id = await ask(database, player, 100)
    await owner.query('update withdrawals.pay_method set replaced_at = app.now()')
    expect(await approveBy(database, id, ann)).toBe('approved')
    expect((await withdrawalById(db, id))?.payMethodId).toBe(player.method)
  })

  it('of one of several, and a rejection by another, at once: one of them is done', async () => {
    const { database, ann, bob, cat, player, owner, db } = await house()
    for (let time = 0; time < 10; time += 1) {
      const id = await ask(database, player, 100)
      const words = await Promise.all([
        approveBy(database, id, ann),
        approveBy(database, id, bob),
        db.transaction((tx) => callFunction<string>(tx, 'withdrawals.reject', id, cat, 'no')),
      ])
      expect(words.filter((each) => each === 'decided')).toHaveLength(2)
    }
    await expectAlwaysTrue(owner)
  })
})

describe('a request', () => {
  it.each([
    ['a freeze', `update accounts.player set state = 'frozen'`, 'account_locked'],
    ['a change that holds', 'update accounts.player set sensitive_changed_at = app.now()', 'held'],
    ['another method', 'update withdrawals.pay_method set replaced_at = app.now()', 'missing'],
  ])(
    'that waited for its balance sees %s that was committed meanwhile',
    async (_what, change, word) => {
      const { database, player, owner, db } = await house()
      await writeWithdrawalTerms(owner, { holdMs: HOUR_MS, twoPersonsFrom: 10_000_000_000n })
      const request = { playerId: player.id, payMethodId: player.method, amount: 1_000_000n }
      const rest = { onDay: '2026-11-20', key: 'k', inputHash: '00' }
      let asking: Promise<{ reason: string | null }> | undefined
      await owner.transaction(async (tx) => {
        await tx.query('select from ledger.balance where holder_id = $1 for no key update', [
          player.id,
        ])
        await tx.query(change)
        asking = db.transaction((other) => requestAmount(other, { ...request, ...rest }))
        await somebodyWaits(database)
      })
      const reasons = { held: 'withdrawal_on_hold', missing: 'pay_method_missing' } as const
      expect((await asking)?.reason).toBe(reasons[word as 'held'] ?? word)
      expect(await cashOf(database, player.id)).toBe(1_000_000_000_000n)
      await expectAlwaysTrue(owner)
    },
  )
})
