/** Which changes of a decided withdrawal the database refuses even to its owner, and which it allows. */
import { expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'

/** An approved withdrawal with some columns as given and a proposal, and a function that changes it as the database's owner. */
async function approvedWith(
  columns: Record<string, unknown> = {},
  { kind, subject, state } = { kind: 'reversal', subject: 'withdrawal:1', state: 'confirmed' },
) {
  const database = await createTestDatabase()
  const { owner } = database
  const player = await addPlayer(database)
  for (let count = 0; count < 3; count += 1) await staffToken(database)
  const [ann, bob, cat] = (
    await owner.query<{ id: number }>('select id from staff.member order by id desc limit 3')
  ).map(({ id }) => id)
  const { method } = only(
    await owner.query<{ method: number }>(
      `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
       values ($1, 'bank', 'sealed', 'T…', 'test', 'TRC20') returning id as method`,
      [player],
    ),
  )
  const row = {
    ...{ player_id: player, id: 1, pay_method_id: method, amount: 5, cash_after: 0 },
    ...{ booked_on: '2026-11-20', state: 'approved', at_bank: false, approved_by: ann },
    ...{ requested_at: '2026-11-20T12:00:00Z', decided_at: '2026-11-20T12:00:00Z' },
    ...columns,
    ...('payout_reference' in columns ? { payout_recorded_by: bob } : {}),
  }
  await owner.query(
    `insert into staff.proposal (kind, subject, content, reason, proposed_by, proposed_at, state, confirmed_by, confirmed_at)
     values ($1, $2, '{}', 'x', $3, app.now(), $4, $5, case when $4 = 'confirmed' then app.now() end)`,
    [kind, subject, bob, state, state === 'confirmed' ? cat : null],
  )
  const names = Object.keys(row).join(', ')
  await owner.query(
    `insert into withdrawals.withdrawal (${names})
     select ${names} from jsonb_populate_record(null::withdrawals.withdrawal, $1)`,
    [JSON.stringify(row)],
  )
  return {
    bob,
    cat,
    change: (set: string) =>
      owner.query<Record<string, unknown>>(
        `update withdrawals.withdrawal set ${set} where id = 1 returning state, at_bank, payout_reference`,
      ),
  }
}

const reversedBy = (member: number | undefined) =>
  `state = 'reversed', reversed_by = ${member}, reversed_at = app.now()`

it('an approved withdrawal is reversed by the person who confirmed it, and becomes neither rejected nor waiting', async () => {
  const { change, bob, cat } = await approvedWith()
  await expect(change(reversedBy(bob))).rejects.toThrow('is decided')
  for (const state of ['rejected', 'waiting']) {
    await expect(change(`state = '${state}'`), state).rejects.toThrow('is decided')
  }
  expect(await change(reversedBy(cat))).toMatchObject([{ state: 'reversed' }])
})

it.each([
  ['of another withdrawal', { subject: 'withdrawal:2' }],
  ['of another kind', { kind: 'refund' }],
  ['that is not confirmed', { state: 'proposed' }],
])('an approved withdrawal is not reversed by a proposal %s', async (_what, other) => {
  const proposal = { kind: 'reversal', subject: 'withdrawal:1', state: 'confirmed', ...other }
  const { change, cat } = await approvedWith({}, proposal)
  await expect(change(reversedBy(cat))).rejects.toThrow('is decided')
})

it('a withdrawal that the bank may pay is not reversed, even if it is taken from the bank at once', async () => {
  const { change, cat } = await approvedWith({ at_bank: true })
  await expect(change(`${reversedBy(cat)}, at_bank = false`)).rejects.toThrow('is decided')
  // One after the other is what happens when the bank has not paid it.
  expect(await change('at_bank = false')).toMatchObject([{ at_bank: false }])
  expect(await change(reversedBy(cat))).toMatchObject([{ state: 'reversed' }])
})

it('a paid withdrawal keeps its payout, and its other columns can change', async () => {
  const paid = { payout_reference: 'PAID 7', payout_key: 'PAID7', paid_at: '2026-11-20T13:00:00Z' }
  const { change } = await approvedWith({ ...paid, at_bank: true })
  await expect(change(`payout_reference = 'PAID 8', payout_key = 'PAID8'`)).rejects.toThrow(
    'is decided',
  )
  expect(await change('at_bank = false')).toEqual([
    { state: 'approved', at_bank: false, payout_reference: 'PAID 7' },
  ])
})

it('a paid withdrawal is not reversed, and a reversed one keeps its reversal', async () => {
  const paid = { payout_reference: 'PAID 7', payout_key: 'PAID7', paid_at: '2026-11-20T13:00:00Z' }
  const first = await approvedWith(paid)
  await expect(first.change(reversedBy(first.cat))).rejects.toThrow('is decided')
  const { change, cat } = await approvedWith()
  await change(reversedBy(cat))
  for (const set of [
    `state = 'approved', reversed_by = null, reversed_at = null`,
    `reversed_by = approved_by`,
    `reversed_at = reversed_at + interval '1 s'`,
  ]) {
    await expect(change(set), set).rejects.toThrow('is decided')
  }
  expect(await change('at_bank = false')).toMatchObject([{ state: 'reversed', at_bank: false }])
})
