/** What staff see about a withdrawal before they decide: facts with their numbers. */
import type { RequestOf } from '@sum28/contract/route.ts'
import { addNote } from '@sum28/contract/staff-players-routes.ts'
import { listWithdrawals, oneWithdrawal, rejectWithdrawal } from '@sum28/contract/staff-routes.ts'
import { expect, it } from 'vitest'
import { addPlayer, moveMoney } from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { addPayMethod, askWithdrawal, payByHand } from '#testing/people/cash-desk.ts'
import { addWallet, memberWithMoney, withdraw } from '#testing/people/cashier.ts'
import { addStaff, staffSession, staffToken } from '#testing/people/staff.ts'
import { expectSuccess, useWorkersApp } from '#testing/product/test-app.ts'
import { riskHints, risksOf, sharersOf } from './risks.ts'
import { withdrawalById, withdrawalPage } from './withdrawal-store.ts'

const U = 1_000_000n
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
  const request = (to = method) => askWithdrawal(db, { playerId: player, to, u: 120n })
  const hintsOf = async (id: bigint) => {
    const risks = (await risksOf(db, [id])).get(id)
    const hints = risks ? riskHints(risks) : []
    await expectFoundBy(database, id, kindsOf(hints))
    return hints
  }
  const factsOf = async (id: bigint) => (await risksOf(db, [id])).get(id)
  const approve = async (id: bigint) =>
    db.query('select withdrawals.approve($1, $2)', [id, await staffToken(database)])
  const reject = async (id: bigint) =>
    db.query(`select withdrawals.reject($1, $2, 'no')`, [id, await staffToken(database)])
  return { database, db, owner, player, method, wallet, request, hintsOf, factsOf, approve, reject }
}

const HINTS = [
  ...['first', 'payee_new', 'payee_changed', 'payee_replaced', 'payee_shared', 'device_shared'],
  ...['network_shared', 'little_play', 'none'],
]

/** The list of what waits finds a withdrawal by each of its hints, and by no other; and no decided one. */
async function expectFoundBy({ db }: TestDatabase, id: bigint, kinds: string[]): Promise<void> {
  const found: string[] = []
  for (const hint of HINTS) {
    const page = await withdrawalPage(db, { hint })
    if ('list' in page && page.list.some((row) => row.id === id)) found.push(hint)
  }
  const waits = (await withdrawalById(db, id))?.state === 'waiting'
  const expected = kinds.length > 0 ? kinds : ['none']
  expect(found.sort()).toEqual(waits ? expected.sort() : [])
}

async function addMethod(
  database: TestDatabase,
  player: number,
  replaces: number | null,
): Promise<number> {
  await database.owner.query(
    'update withdrawals.pay_method set replaced_at = app.now() where id = $1',
    [replaces],
  )
  return addPayMethod(database, player, 'wallet')
}

const kindsOf = (hints: readonly { kind: string }[]) => hints.map(({ kind }) => kind)

it('a payee that was added in the seven days before is shown with its time, however soon it is replaced', async () => {
  const late = await house({ addedBefore: 7 * 24 })
  expect(kindsOf(await late.hintsOf(await late.request()))).not.toContain('payee_new')
  const young = await house({ addedBefore: 7 * 24 - 1 })
  const id = await young.request()
  await young.wallet(young.method)
  expect(await young.hintsOf(id)).toContainEqual(
    expect.objectContaining({ kind: 'payee_new', at: (AT - 7 * DAY + HOUR) / 1000 }),
  )
})

it('a payee, a device and a network that other players have are shown with their number', async () => {
  const { database, db, owner, player, request, hintsOf, factsOf, approve } = await house()
  const mark = (of: number, kind: string, byte: string) =>
    owner.query(
      `insert into protection.mark values ($1, $2, decode(repeat($3, 32), 'hex'), 'test', app.now())`,
      [of, kind, byte],
    )
  const network = (of: number, name: string, at: number) =>
    owner.query('insert into accounts.known_network values ($1, $2, $3)', [of, name, new Date(at)])
  const others: number[] = []
  while (others.length < 3) others.push(await addPlayer(database, { u: 0 }))
  const [bob, cid, dan] = others as [number, number, number]
  const id = await request()
  for (const each of [player, bob, cid]) await mark(each, 'wallet', 'aa')
  // The same hash of another kind of mark, and another hash, are no likeness; nor is a card for a wallet.
  await mark(dan, 'card', 'aa')
  await mark(dan, 'wallet', 'bb')
  for (const each of [player, dan]) await mark(each, 'card', 'ee')
  for (const each of [player, bob]) await mark(each, 'device', 'cc')
  // Both must have used it within 30 days.
  const LATEST_OLD = AT - 30 * DAY
  for (const each of [player, bob]) await network(each, 'home', LATEST_OLD + 1)
  await network(cid, 'home', LATEST_OLD)
  await network(dan, 'home', AT)
  await network(player, 'old', LATEST_OLD)
  await network(cid, 'old', AT)
  await network(bob, 'elsewhere', AT)
  expect(await hintsOf(id)).toMatchObject([
    { kind: 'first' },
    { kind: 'payee_shared', players: 2 },
    { kind: 'device_shared', players: 1 },
    { kind: 'network_shared', players: 2 },
    { kind: 'little_play' },
  ])
  const shared = async () => {
    const risks = await factsOf(id)
    const hints = risks ? riskHints(risks, await sharersOf(db, id)) : []
    return hints
      .flatMap(({ kind, others }) => others.map(({ user_id: other }) => `${kind} ${other}`))
      .sort()
  }
  const found = [
    ...[bob, cid].map((each) => `payee_shared ${each}`),
    ...[bob, dan].map((each) => `network_shared ${each}`),
  ]
  expect(await shared()).toEqual([`device_shared ${bob}`, ...found].sort())
  // The latest ten accounts are named.
  const later: number[] = []
  while (later.length < 10) later.push(await addPlayer(database, { u: 0 }))
  for (const each of later) await mark(each, 'device', 'cc')
  expect(await shared()).toEqual([...later.map((each) => `device_shared ${each}`), ...found].sort())
  // A device or network that more than twenty others have names nobody, and is counted. A payee names them all the same.
  while (later.length < 20) later.push(await addPlayer(database, { u: 0 }))
  for (const each of later.slice(10)) await mark(each, 'device', 'cc')
  for (const each of later.slice(0, 19)) await network(each, 'home', AT)
  for (const each of later) await mark(each, 'wallet', 'aa')
  expect(await shared()).toEqual(later.slice(10).map((each) => `payee_shared ${each}`))
  expect(await factsOf(id)).toMatchObject({
    payeePlayers: 22,
    devicePlayers: 21,
    networkPlayers: 21,
  })

  await approve(id)
  const toCard = await request(await addPayMethod(database, player))
  expect(await factsOf(toCard)).toMatchObject({ payeePlayers: 1 })
})

it('less play than deposits in 90 days is shown with both sums, whatever was withdrawn since', async () => {
  const { database, owner, player, request, hintsOf, approve } = await house({
    addedBefore: 24 * 8,
  })
  const move = (kind: string, u: number, reference: string) =>
    moveMoney(owner, kind, { playerId: player, micro: BigInt(u) * U, reference })
  for (const [at, moves, hint] of [
    [0, [['stake', 400]], ['1000.00', '400.00']],
    // The refund of a stake: it was no play.
    [
      2 * HOUR,
      [
        ['deposit', 50],
        ['stake', 50],
        ['stake', 10],
        ['refund', 10],
      ],
      ['1050.00', '450.00'],
    ],
    [
      5 * HOUR,
      [
        ['deposit', 60],
        ['stake', 60],
        ['refund', 35],
      ],
      ['1110.00', '475.00'],
    ],
    // More was refunded than staked in this time: the play is zero, and not negative.
    [
      95 * DAY,
      [
        ['deposit', 5],
        ['refund', 20],
      ],
      ['5.00', '0.00'],
    ],
    // As much was staked as deposited.
    [95 * DAY + 2 * HOUR, [['stake', 25]], null],
    // What was taken back was no deposit.
    [
      200 * DAY,
      [
        ['deposit', 30],
        ['deposit_taken_back', 25],
        ['stake', 5],
      ],
      null,
    ],
  ] as const) {
    await database.freezeClock(AT + at)
    for (const [nth, [kind, u]] of moves.entries()) await move(kind, u, `${at}:${nth}`)
    await database.freezeClock(AT + at + HOUR)
    const id = await request()
    const shown = (await hintsOf(id)).filter(({ kind }) => kind === 'little_play')
    const expected = hint && { kind: 'little_play', deposited: hint[0], staked: hint[1] }
    expect(shown).toMatchObject(expected ? [expected] : [])
    expect(shown).toHaveLength(expected ? 1 : 0)
    await approve(id)
  }
})

it('an earlier withdrawal counts if it was approved, and not if it was rejected, is later, or is another’s', async () => {
  const { request, factsOf, hintsOf, approve, reject, database, db } = await house()
  await reject(await request())
  const first = await request()
  await approve(first)
  const second = await request()
  await approve(second)
  expect(await factsOf(first)).toMatchObject({ earlier: 0 })
  expect(await factsOf(second)).toMatchObject({ earlier: 1 })
  expect(kindsOf(await hintsOf(first))).toContain('first')
  expect(kindsOf(await hintsOf(second))).not.toContain('first')
  const other = await addPlayer(database)
  const to = await addPayMethod(database, other)
  const id = await askWithdrawal(db, { playerId: other, to, u: 120n })
  expect(await factsOf(id)).toMatchObject({ earlier: 0 })
})

it('a payee that replaced another is shown so, and not one of another kind or player, or before a later one', async () => {
  const { database, player, method, wallet, request, factsOf, hintsOf, approve } = await house()
  await addPayMethod(database, await addPlayer(database))
  const toCard = await request(await addPayMethod(database, player))
  expect(await factsOf(toCard)).toMatchObject({ payeeAddedAt: AT, payeeChanged: false })
  await approve(toCard)
  const next = await wallet(method)
  const toNext = await request(next)
  const changed = expect.objectContaining({ kind: 'payee_changed', at: AT / 1000 })
  expect(await hintsOf(toNext)).toContainEqual(changed)
  await approve(toNext)
  await wallet(next)
  expect(await factsOf(toNext)).toMatchObject({ payeeAddedAt: AT, payeeChanged: true })
  expect(await factsOf(toCard)).toMatchObject({ payeeChanged: false })
})

it('a later withdrawal to an old payee, without deposits since, has no hint until another payee is saved', async () => {
  const { database, db, method, wallet, request, hintsOf, approve, reject } = await house({
    addedBefore: 91 * 24,
  })
  await approve(await request())
  // One waits at a time.
  const paid = await request()
  await approve(paid)
  await payByHand(db, { id: paid, by: await staffToken(database), reference: 'ab'.repeat(32) })
  const rejected = await request()
  await reject(rejected)
  const id = await request()
  expect(await hintsOf(id)).toEqual([])
  await database.freezeClock(AT + HOUR)
  await wallet(method)
  const at = (AT + HOUR) / 1000
  expect(await hintsOf(id)).toMatchObject([{ kind: 'payee_replaced', at }])
  expect(await hintsOf(paid)).toEqual([])
  expect(await hintsOf(rejected)).toEqual([])
})

it('without a hint are found only those about whose player nothing was noted since the request', async () => {
  const { db, owner, player, request, approve } = await house({ addedBefore: 91 * 24 })
  await approve(await request())
  const id = await request()
  const note = (at: number) =>
    owner.query(
      `insert into console_players.note (player_id, text, written_by, written_at)
       select $1, 'wants to cancel', min(id), $2 from staff.member`,
      [player, new Date(at)],
    )
  const found = async () => {
    const page = await withdrawalPage(db, { hint: 'none' })
    return 'list' in page && page.list.map((row) => row.id)
  }
  await note(AT - 1)
  expect(await found()).toEqual([id])
  await note(AT)
  expect(await found()).toEqual([])
})

it('money counts for 90 days, until just before the request', async () => {
  const { database, owner, player, request, factsOf } = await house({ addedBefore: 200 * 24 })
  for (const [at, u] of [
    [AT - 90 * DAY, 1n],
    [AT - 90 * DAY + 1, 2n],
    [AT - 1, 4n],
    [AT, 8n],
  ] as const) {
    await database.freezeClock(at)
    await moveMoney(owner, 'deposit', { playerId: player, micro: u * U, reference: `test:${u}` })
  }
  expect(await factsOf(await request())).toMatchObject({ deposited: 6n * U })
})

it('the list by a hint has every withdrawal with it, however many wait', async () => {
  const { db, owner } = await house()
  await owner.query(
    `insert into accounts.player (username, email, email_key, group_id, kind)
     select 'many_' || n, 'many_' || n || '@example.org', 'many_' || n || '@example.org', 1, 'person'
     from generate_series(1, 210) n`,
  )
  await owner.query(
    `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
     select id, 'wallet', 'sealed', 'x', 'test', '' from accounts.player where username like 'many_%' order by id`,
  )
  await owner.query(
    `insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after)
     select player_id, nextval('withdrawals.withdrawal_id'), id, 1000000, '2026-11-20', 0
     from withdrawals.pay_method where shown_number = 'x' order by id`,
  )
  await owner.query(
    `insert into protection.mark (player_id, kind, hash, key_id, noted_at)
     select id, 'device', sha256(''), 'test', app.now() from accounts.player
     where username in ('many_1', 'many_209', 'many_210')`,
  )
  const all = await owner.column<bigint>('select id from withdrawals.withdrawal order by id')
  const found = async (hint: string, order: 'asc' | 'desc', limit: number) => {
    const ids: bigint[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const page = await withdrawalPage(db, { hint, order, limit, after })
      if (!('list' in page)) throw new Error(page.refused)
      ids.push(...page.list.map(({ id }) => id))
      after = page.next
    }
    return order === 'asc' ? ids : ids.reverse()
  }
  for (const order of ['asc', 'desc'] as const) {
    expect(await found('first', order, 70)).toEqual(all)
    expect(await found('device_shared', order, 2)).toEqual([all[0], ...all.slice(-2)])
    expect(await found('none', order, 25)).toEqual([])
  }
})

const test = useWorkersApp()

it('the list and the page of a withdrawal have them, for an auditor too, and the list is filtered', async () => {
  const member = await memberWithMoney(test, 'risk_ann', 300)
  const id = await withdraw(test, member, '120')
  const auditor = await addStaff(test, 'auditor')
  const { data: one } = await test.call(oneWithdrawal, { id }, auditor)
  expect(one).toMatchObject({ id, state: 'waiting' })
  expect(kindsOf(one.risks)).toEqual(expect.arrayContaining(['first', 'payee_new', 'little_play']))
  const { data } = await test.call(
    listWithdrawals,
    { state: 'waiting', user_id: member.id },
    auditor,
  )
  // The page also names the others, on a network for example.
  const listed = data.list.find((each) => each.id === id)?.risks ?? []
  expect(kindsOf(listed)).toEqual(kindsOf(one.risks))
  const missing = await test.call(oneWithdrawal, { id: 999_999 }, await staffSession(test))
  expect(missing).toMatchObject({ code: 404 })
  // Another who registers the same wallet is counted.
  const other = await memberWithMoney(test, 'risk_bob', 10)
  await addWallet(test, other, member.wallet)
  const { data: again } = await test.call(oneWithdrawal, { id }, auditor)
  const others = [{ user_id: other.id, username: 'risk_bob' }]
  expect(again.risks).toContainEqual(
    expect.objectContaining({ kind: 'payee_shared', players: 1, others }),
  )

  const finds = async (filter: RequestOf<typeof listWithdrawals>) => {
    const { data } = await test.call(listWithdrawals, { user_id: member.id, ...filter }, auditor)
    return data.list.some((each) => each.id === id)
  }
  for (const filter of [
    { hint: 'first' },
    { hint: 'payee_shared' },
    { kind: 'wallet' },
    { amount_from: '120', amount_until: '120' },
    { from_day: '2026-11-20' },
    { until_day: '2099-01-01' },
  ] as const) {
    expect(await finds(filter), JSON.stringify(filter)).toBe(true)
  }
  for (const filter of [
    { hint: 'none' },
    { hint: 'payee_changed' },
    { kind: 'bank' },
    { amount_from: '120.01' },
    { amount_until: '119.99' },
    { from_day: '2099-01-01' },
    { until_day: '2026-11-19' },
  ] as const) {
    expect(await finds(filter), JSON.stringify(filter)).toBe(false)
  }
  // After the decision its page still has them; the list does not.
  await test.call(rejectWithdrawal, { id, reason: 'asked by the player' }, await staffSession(test))
  const decided = await test.call(oneWithdrawal, { id }, auditor)
  expect(decided.data).toMatchObject({ state: 'rejected', risks: again.risks })
  const { data: whole } = await test.call(listWithdrawals, { user_id: member.id }, auditor)
  expect(whole.list.find((each) => each.id === id)).toMatchObject({ state: 'rejected', risks: [] })
})

it('the list and the page have the newest note about the player and its time, for a cashier', async () => {
  const member = await memberWithMoney(test, 'noted_ann', 300)
  const id = await withdraw(test, member, '120')
  const [finance, support] = [await staffSession(test, 'finance'), await addStaff(test, 'support')]
  const { data: before } = await test.call(oneWithdrawal, { id }, finance)
  expect(before).toMatchObject({ note: null, noted_at: null })
  for (const text of ['called', 'wants no withdrawal: wrong card'])
    expectSuccess(await test.call(addNote, { user_id: member.id, text }, support))
  const newest = { note: 'wants no withdrawal: wrong card', noted_at: expect.any(Number) }
  expect((await test.call(oneWithdrawal, { id }, finance)).data).toMatchObject(newest)
  const { data } = await test.call(listWithdrawals, { user_id: member.id }, finance)
  expect(data.list).toMatchObject([{ id, ...newest }])
})
