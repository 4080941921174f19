/** What staff see about a withdrawal before they decide: facts with their numbers. */
import { listWithdrawals, oneWithdrawal, rejectWithdrawal } from '@sum28/contract/staff-routes.ts'
import { expect, it } from 'vitest'
import { addWallet, memberWithMoney, withdraw } from '#testing/cashier.ts'
import { addPlayer } from '#testing/fixtures.ts'
import { addStaff, staffSession } from '#testing/staff.ts'
import { staffToken } from '#testing/staff-token.ts'
import { shareTestApp } from '#testing/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { riskHints } from './risk-hints.ts'
import { risksOf } from './risk-store.ts'

const AT = Date.UTC(2026, 10, 20, 12)
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A player with 1,000 u whose wallet was added so many hours before `AT`. */
async function house({ addedBefore = 30 * 24 }: { addedBefore?: number } = {}) {
  const database = await createTestDatabase()
  const { db, owner } = database
  await database.freezeClock(AT - addedBefore * HOUR)
  const player = await addPlayer(database, { u: 1_000 })
  const wallet = (replaces: number | null = null) => addMethod(database, player, replaces)
  const method = await wallet()
  await database.freezeClock(AT)
  const request = async (ofMethod = method) => {
    const [made] = await db.query<{ id: bigint }>(
      `select withdrawal_id as id from withdrawals.request($1, $2, 120000000, '2026-11-20', null, null)`,
      [player, ofMethod],
    )
    return made?.id ?? 0n
  }
  const hintsOf = async (id: bigint) => {
    const risks = (await risksOf(db, [id])).get(id)
    return risks ? riskHints(risks) : []
  }
  return { database, db, owner, player, method, wallet, request, hintsOf }
}

async function addMethod(
  { owner }: TestDatabase,
  player: number,
  replaces: number | null,
): Promise<number> {
  await owner.query('update withdrawals.pay_method set replaced_at = app.now() where id = $1', [
    replaces,
  ])
  const [row] = await owner.query<{ id: number }>(
    `insert into withdrawals.pay_method (player_id, kind, sealed_number, shown_number, key_id, label)
     values ($1, 'wallet', 'sealed', 'T…', 'test', 'TRC20') returning id`,
    [player],
  )
  return row?.id ?? 0
}

const kindsOf = (hints: readonly { kind: string }[]) => hints.map(({ kind }) => kind)

it('the first withdrawal is a hint, and the second is not', async () => {
  const { database, db, request, hintsOf } = await house()
  const first = await request()
  expect(kindsOf(await hintsOf(first))).toContain('first')
  await db.query('select withdrawals.approve($1, $2)', [first, await staffToken(database)])
  const second = await request()
  expect(kindsOf(await hintsOf(second))).not.toContain('first')
  // The facts of the first decision do not change.
  expect(kindsOf(await hintsOf(first))).toContain('first')
})

it('a payee that was added in the seven days before is shown with its time, and one that replaced another', async () => {
  const late = await house({ addedBefore: 7 * 24 })
  expect(kindsOf(await late.hintsOf(await late.request()))).not.toContain('payee_new')
  const young = await house({ addedBefore: 7 * 24 - 1 })
  expect(await young.hintsOf(await young.request())).toContainEqual(
    expect.objectContaining({ kind: 'payee_new', at: (AT - 7 * DAY + HOUR) / 1000 }),
  )
  const changed = await house()
  const other = await changed.wallet(changed.method)
  expect(await changed.hintsOf(await changed.request(other))).toContainEqual(
    expect.objectContaining({ kind: 'payee_changed', at: AT / 1000 }),
  )
})

it('a payee, a device and a network that other players have are shown with their number', async () => {
  const { database, owner, player, request, hintsOf } = await house()
  const mark = (of: number, kind: string, byte: string) =>
    owner.query(
      `insert into protection.mark values ($1, $2, decode(repeat($3, 32), 'hex'), 'test', app.now())`,
      [of, kind, byte],
    )
  const network = (of: number, at: number) =>
    owner.query(
      `insert into accounts.known_network (player_id, network_hash, last_at) values ($1, 'home', $2)`,
      [of, new Date(at)],
    )
  const id = await request()
  const [bob, cid, dan] = [
    await addPlayer(database, { u: 0 }),
    await addPlayer(database, { u: 0 }),
    await addPlayer(database, { u: 0 }),
  ]
  for (const each of [player, bob, cid]) await mark(each, 'wallet', 'aa')
  // The same hash of another kind of mark, and another hash, are no likeness.
  await mark(dan, 'card', 'aa')
  await mark(dan, 'wallet', 'bb')
  for (const each of [player, bob]) await mark(each, 'device', 'cc')
  await network(player, AT - DAY)
  await network(bob, AT - 29 * DAY)
  await network(cid, AT - 30 * DAY)
  expect(await hintsOf(id)).toMatchObject([
    { kind: 'first' },
    { kind: 'payee_shared', players: 2 },
    { kind: 'device_shared', players: 1 },
    { kind: 'network_shared', players: 1 },
    { kind: 'little_play' },
  ])
})

it('less play than deposits since the previous withdrawal is shown with both sums', async () => {
  const { database, owner, player, db, request, hintsOf } = await house({ addedBefore: 24 * 8 })
  const move = (kind: string, from: string, to: string, u: number, reference: string) =>
    owner.query(
      `select wallet.move($1, $2, $3, array[row($4, '2026-11-20', $5, $6)::wallet.movement])`,
      [kind, from, to, player, u * 1_000_000, reference],
    )
  await move('stake', 'cash', 'house:game', 400, 'a')
  await database.freezeClock(AT + HOUR)
  const first = await request()
  expect(await hintsOf(first)).toContainEqual(
    expect.objectContaining({ kind: 'little_play', deposited: '1000.00', staked: '400.00' }),
  )
  await db.query('select withdrawals.approve($1, $2)', [first, await staffToken(database)])
  await database.freezeClock(AT + 2 * HOUR)
  await move('deposit', 'house:treasury', 'cash', 50, 'b')
  await move('stake', 'cash', 'house:game', 50, 'c')
  await database.freezeClock(AT + 3 * HOUR)
  // The refund of a stake: it was no play.
  await move('stake', 'cash', 'house:game', 10, 'd')
  await move('refund', 'house:game', 'cash', 10, 'd')
  await database.freezeClock(AT + 4 * HOUR)
  // As much was staked as deposited: no hint.
  const second = await request()
  expect(kindsOf(await hintsOf(second))).not.toContain('little_play')
  await db.query('select withdrawals.approve($1, $2)', [second, await staffToken(database)])
  await database.freezeClock(AT + 5 * HOUR)
  await move('deposit', 'house:treasury', 'cash', 60, 'e')
  await move('stake', 'cash', 'house:game', 60, 'f')
  await move('refund', 'house:game', 'cash', 35, 'f')
  await database.freezeClock(AT + 6 * HOUR)
  const third = await request()
  expect(await hintsOf(third)).toContainEqual(
    expect.objectContaining({ kind: 'little_play', deposited: '60.00', staked: '25.00' }),
  )
  await db.query('select withdrawals.approve($1, $2)', [third, await staffToken(database)])
  await database.freezeClock(AT + 7 * HOUR)
  await move('deposit', 'house:treasury', 'cash', 5, 'g')
  await move('refund', 'house:game', 'cash', 20, 'h')
  await database.freezeClock(AT + 8 * HOUR)
  // More was refunded than staked in this time: the play is zero, and not negative.
  expect(await hintsOf(await request())).toContainEqual(
    expect.objectContaining({ kind: 'little_play', deposited: '5.00', staked: '0.00' }),
  )
})

const app = shareTestApp()

it('the list and the page of a withdrawal have them, for an auditor too', async () => {
  const test = app()
  const member = await memberWithMoney(test, 'risk_ann', 300)
  const id = await withdraw(test, member, '120')
  const auditor = await addStaff(test, 'auditor')
  const { data: one } = await test.call(oneWithdrawal, { id }, auditor)
  expect(one).toMatchObject({ id, state: 'waiting' })
  expect(kindsOf(one.risks)).toEqual(expect.arrayContaining(['first', 'payee_new', 'little_play']))
  const { data } = await test.call(listWithdrawals, { state: 'waiting' }, auditor)
  expect(data.list.find((each) => each.id === id)?.risks).toEqual(one.risks)
  const missing = await test.call(oneWithdrawal, { id: 999_999 }, await staffSession(test))
  expect(missing).toMatchObject({ code: 404 })
  // Another who registers the same wallet is counted.
  const other = await memberWithMoney(test, 'risk_bob', 10)
  await addWallet(test, other)
  const { data: again } = await test.call(oneWithdrawal, { id }, auditor)
  expect(again.risks).toContainEqual(expect.objectContaining({ kind: 'payee_shared', players: 1 }))
  // After the decision its page still has them; the list does not.
  await test.call(rejectWithdrawal, { id, reason: 'asked by the player' }, await staffSession(test))
  const decided = await test.call(oneWithdrawal, { id }, auditor)
  expect(decided.data).toMatchObject({ state: 'rejected', risks: again.risks })
  const { data: whole } = await test.call(listWithdrawals, {}, auditor)
  expect(whole.list.find((each) => each.id === id)).toMatchObject({ state: 'rejected', risks: [] })
})
