/** The lists of money and accounts: what their searches find, and that their pages have each row once, in order. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { KeysetRequest } from '#src/db/list.ts'
import { timelinePage } from '#src/modules/console/games/timeline.ts'
import { differencePage } from '#src/modules/deposits/compare-with-chain.ts'
import { dismissTransfer, unmatchedPage } from '#src/modules/deposits/unmatched-transfer.ts'
import { allMembers } from '#src/modules/staff/change-members.ts'
import { frozenPage } from '#src/modules/staff/freeze-account.ts'
import { insertProposal, proposalPage } from '#src/modules/staff/proposal.ts'
import { withdrawalPage } from '#src/modules/withdrawals/withdrawal-store.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import { addPlayer, openTestRound } from '#testing/database/fixtures.ts'
import {
  cloneUnusedDatabase,
  createTestDatabase,
  type TestDatabase,
} from '#testing/database/test-database.ts'
import { addPayMethod, askWithdrawal, payByHand } from '#testing/people/cash-desk.ts'
import {
  confirm,
  confirmReversal,
  end,
  latestAbout,
  propose,
  proposeAssignment,
  proposeReversal,
} from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { batchPage } from './bank-batch-store.ts'
import { heldDepositPage } from './refund-deposit.ts'

type Page = (
  ask: KeysetRequest & { q?: string },
) => Promise<{ list: { id?: unknown }[]; next: string | null } | Refusal>

/** The rows of a page. */
function listed<Row>(page: { list: Row[]; next: string | null } | Refusal): Row[] {
  if (isRefusal(page)) throw new Error('refused')
  return page.list
}

/** The numbers of the rows that a text finds. */
async function found(page: Page, q: string): Promise<number[]> {
  return listed(await page({ q })).map(({ id }) => Number(id))
}

let database: TestDatabase
let one: string
const players: { id: number; name: string }[] = []

beforeAll(async () => {
  database = await cloneUnusedDatabase()
  one = await staffToken(database)
  for (let at = 0; at < 3; at += 1) {
    const name = `sought_${at}`
    players.push({ id: await addPlayer(database, { u: 200, name }), name })
  }
})

afterAll(() => database.drop())

const ANN = () => players[0] ?? { id: 0, name: '' }
const BOB = () => players[1] ?? { id: 0, name: '' }

it('a withdrawal is found by its number, its player, the end of its payee, and the reference of its payout', async () => {
  const { db, owner } = database
  const ids: number[] = []
  for (const [at, shown] of [
    '•••• 4242',
    'TXyzAbcdefghijkLMNOPqrstuvwx1277',
    '•••• 1277',
  ].entries()) {
    const playerId = players[at]?.id ?? 0
    const to = await addPayMethod(database, playerId, 'bank', shown)
    ids.push(Number(await askWithdrawal(owner, { playerId, to })))
  }
  await owner.query('select withdrawals.approve($1, $2)', [ids[0], one])
  const payer = await staffToken(database)
  expect(await payByHand(owner, { id: ids[0], by: payer, reference: 'Out 77 a' })).toBe('paid')
  const find = (q: string) => found((ask) => withdrawalPage(db, ask), q)
  expect(await find('4242')).toEqual([ids[0]])
  expect(await find('1277')).toEqual([ids[1], ids[2]])
  expect(await find('TXyzAbcdefghijkLMNOPqrstuvwx1277')).toEqual([ids[1]])
  expect(await find('TAyzAbcdefghijkLMNOPqrstuvwx1277')).toEqual([])
  expect(await find('out 77A')).toEqual([ids[0]])
  expect(await find(BOB().name.toUpperCase())).toEqual([ids[1]])
  expect(await find(String(ids[2]))).toContain(ids[2])
  expect(await find(String(ANN().id))).toContain(ids[0])
  for (const nothing of ['9'.repeat(100), '%', `' or true --`, '٤٢', '_']) {
    expect(await find(nothing)).toEqual([])
  }
})

it('a bank deposit and a held one are found by the reference, also after it was refused', async () => {
  const { db, owner } = database
  const record = async (player: number, reference: string) => {
    const content = { amount: 1_000_000, reference }
    const draft = { kind: 'bank_deposit', subject: `player:${player}`, content } as const
    return Number((await insertProposal(db, { ...draft, reason: null, session: one })).id)
  }
  const refused = await record(ANN().id, 'FT 26-1')
  await end(db, refused, one)
  const again = await record(BOB().id, 'FT 26-1')
  const find = (q: string) => found((ask) => proposalPage(db, ask), q)
  expect(await find('ft26-1')).toEqual([again, refused])
  expect(await find(ANN().name)).toEqual([refused])
  expect(await find('FT26')).toEqual([])

  const hash = 'ab'.repeat(32)
  await owner.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount, player_id)
     values ($1, 3, 7, app.now(), 'from', 'to', 1000000, $2)`,
    [hash, ANN().id],
  )
  await owner.query(
    `insert into protection.held_deposit (player_id, amount, reference, because, held_at)
     values ($1, 1000000, $2, 'limit', app.now()), ($3, 1000000, $4, 'limit', app.now())`,
    [ANN().id, `usdt:${hash}:3`, BOB().id, `bank:${again}`],
  )
  const held = (q: string) => found((ask) => heldDepositPage(db, ask), q)
  expect(await held('FT26-1')).toEqual(await held(BOB().name))
  expect(await held(hash.toUpperCase())).toEqual(await held(ANN().name))
  expect(await held(hash)).toHaveLength(1)
  expect(await held('FT26-1')).toHaveLength(1)
})

it('an unmatched transfer and a difference are found by the beginning of the transaction', async () => {
  const { db, owner } = database
  for (const [at, digits] of ['c0ffee', 'c0ffe0', 'd1'].entries()) {
    const hash = digits.padEnd(64, '0')
    await owner.query(
      `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
       values ($1, 0, $2, app.now(), $3, $4, 1000000)`,
      [hash, 100 + at, `Tfrom${at}`, `Tto${at}`],
    )
    await owner.query(
      `insert into deposits.chain_difference (kind, tx_id, log_index, details)
       values ('unmatched', $1, 0, '{}')`,
      [hash],
    )
  }
  const find = async (q: string) =>
    listed(await unmatchedPage(db, { q })).map(({ txId }) => txId.slice(0, 6))
  expect(await find('C0FFE')).toEqual(['c0ffe0', 'c0ffee'])
  expect(await find('d1'.padEnd(64, '0'))).toEqual(['d10000'])
  expect(await find('Tfrom2')).toEqual(['d10000'])
  expect(await find('Tto0')).toEqual(['c0ffee'])
  expect(await find('%')).toEqual([])
  const [cat, dan] = [await staffToken(database), await staffToken(database)]
  const decided = { logIndex: 0, session: cat }
  await dismissTransfer(db, { ...decided, txId: 'c0ffee'.padEnd(64, '0'), reason: 'x' })
  const assigned = { ...decided, txId: 'd1'.padEnd(64, '0'), playerId: ANN().id }
  expect(await confirm(db, Number(await proposeAssignment(db, assigned)), dan)).toBe('confirmed')
  expect(await find('c0ffe')).toEqual(['c0ffe0', 'c0ffee'])
  expect(await find('Tfrom2')).toEqual(['d10000'])
  expect(listed(await differencePage(db, { q: 'c0ffee' }))).toHaveLength(1)
})

it('a proposal is found by its player and by who proposed it, a batch by a withdrawal in it', async () => {
  const { db, owner } = database
  const subject = `player:${BOB().id}`
  await propose(db, { kind: 'bonus', subject, content: { amount: 1_000_000 }, session: one })
  const made = await latestAbout(db, subject)
  const find = (q: string) => found((ask) => proposalPage(db, ask), q)
  expect(await find(`M${one.toUpperCase()}`)).toContain(made)
  expect(await find(BOB().name)).toContain(made)
  expect(await find(ANN().name)).not.toContain(made)

  const id = await owner.value<bigint>(
    'select id from withdrawals.withdrawal order by id desc limit 1',
  )
  const batch = await owner.value<number>(
    `with made as (insert into console_money.bank_batch (kind, made_by, made_at) values ('bank', 1, app.now()) returning id)
     insert into console_money.bank_payment (batch_id, withdrawal_id, amount) select id, $1, 1 from made returning batch_id as id`,
    [id],
  )
  const batches = (q: string) => found((ask) => batchPage(db, ask), q)
  expect(await batches(String(id))).toEqual([batch])
  expect(await batches('999999')).toEqual([])
})

it('a proposal is found by its number alone, where a player has this number or these digits as his name', async () => {
  const { db, owner } = database
  await owner.query(
    `with player as (insert into accounts.player (username, email, email_key, group_id)
       values ('4711', '4711@example.org', '4711@example.org', 1) returning id)
     insert into staff.proposal (id, player_id, subject, kind, content, reason, proposed_by, proposed_at)
     overriding system value
     select number, about, 'player:' || about, 'bonus', '{"amount": 1000000}', 'x', 1, app.now()
     from (select 4711 as number, $1::integer as about union all select 4712, id from player) proposed`,
    [ANN().id],
  )
  expect(await found((ask) => proposalPage(db, ask), '4711')).toEqual([4712, 4711])
  expect(await proposalPage(db, { id: 4711 })).toMatchObject({ list: [{ id: 4711n }] })
})

it('a frozen account is found by the name, a member by the beginning of his, a round by its number', async () => {
  const { db, owner } = database
  await owner.query(`select staff.freeze_player($1, 'x', $2)`, [ANN().id, one])
  const frozen = listed(await frozenPage(db, { q: ANN().name }))
  expect(frozen.map(({ playerId }) => playerId)).toEqual([ANN().id])
  expect(listed(await frozenPage(db, { q: BOB().name }))).toEqual([])
  const [member] = await allMembers(db)
  const begin = member?.name.slice(0, 3).toUpperCase() ?? ''
  expect((await allMembers(db, begin)).map(({ name }) => name)).toContain(member?.name)
  expect(await allMembers(db, 'nobody%')).toEqual([])
  const round = await openTestRound(database)
  expect(await timelinePage(db, { q: String(round.issue) })).toMatchObject({
    list: [{ issue: round.issue }],
  })
  expect(await timelinePage(db, { q: `${round.issue}0` })).toMatchObject({ list: [] })
  expect(await timelinePage(db, { q: 'x' })).toMatchObject({ list: [] })
})

/** All rows of a list by pages of one, which are the same as those of one large page. */
async function walked<Row>(
  page: (ask: KeysetRequest) => Promise<{ list: Row[]; next: string | null } | Refusal>,
  ask: KeysetRequest = {},
): Promise<Row[]> {
  const wholePage = listed(await page({ ...ask, limit: 100 }))
  const rows: Row[] = []
  let after: string | undefined
  for (;;) {
    const part = await page({ ...ask, limit: 1, after })
    if (isRefusal(part)) throw new Error('refused')
    rows.push(...part.list)
    if (part.next === null) break
    after = part.next
  }
  expect(rows).toEqual(wholePage)
  expect(await page({ ...ask, after: 'nowhere' })).toMatchObject({ refused: 'invalid_input' })
  return rows
}

it('withdrawals are a queue: open ones, oldest first, then the rest, newest first', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  // The first two wait, the others are decided in each way.
  const [one, two] = [await staffToken(database), await staffToken(database)]
  const players: number[] = []
  const ids: number[] = []
  for (let at = 0; at < 10; at += 1) {
    const player = await addPlayer(database, { u: 200 })
    const to = await addPayMethod(database, player)
    players.push(player)
    ids.push(Number(await askWithdrawal(owner, { playerId: player, to })))
  }
  const say = (call: string, at: number, by: string) =>
    owner.query(`select withdrawals.${call}`, [ids[at], by])
  for (const at of [2, 3]) await say(`reject($1, $2, 'no')`, at, one)
  for (const at of [4, 5, 6, 7, 8, 9]) await say('approve($1, $2)', at, one)
  for (const id of ids.slice(6)) await proposeReversal(owner, { id, session: one })
  for (const id of ids.slice(8)) await confirmReversal(owner, { id, session: two })
  const of = async (ask: Parameters<typeof withdrawalPage>[1]) => {
    const { sort, order, ...filter } = ask
    const page = (more: KeysetRequest) => withdrawalPage(db, { ...filter, ...more })
    const rows = await walked(page, { sort, order })
    return rows.map(({ id }) => ids.indexOf(Number(id)))
  }
  expect(await of({})).toEqual([0, 1, 4, 5, 6, 7, 9, 8, 3, 2])
  expect(await of({ sort: 'id', order: 'asc' })).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(await of({ sort: 'id', order: 'desc' })).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  expect(await of({ state: 'waiting' })).toEqual([0, 1])
  expect(await of({ state: 'rejected' })).toEqual([3, 2])
  expect(await of({ state: 'to_pay' })).toEqual([4, 5])
  expect(await of({ state: 'reversing' })).toEqual([6, 7])
  expect(await of({ state: 'reversed' })).toEqual([9, 8])
  expect(await of({ playerId: players[4] })).toEqual([4])
})

it('the lists of proposals and unmatched transfers show each row once', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const [one, two] = [await staffToken(database), await staffToken(database)]
  const players = [await addPlayer(database, { u: 0 }), await addPlayer(database, { u: 0 })]
  for (let at = 0; at < 6; at += 1) {
    const content = { amount: 1, reference: `BANK${at}` }
    const subject = `player:${players[at % 2]}`
    await propose(db, { kind: 'bank_deposit', subject, content, session: one })
    await owner.query(
      `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
       values ($1, $2, $3, app.now(), 'from', 'to', 1000000)`,
      [String(at).repeat(64), at % 3, 7 + Math.floor(at / 4)],
    )
  }
  for (const id of [1, 2]) await end(db, id, two)
  const proposals = async (of: object) => {
    const rows = await walked((ask) => proposalPage(db, { ...ask, ...of }))
    return rows.map(({ id }) => Number(id))
  }
  expect(await proposals({})).toEqual([6, 5, 4, 3, 2, 1])
  expect(await proposals({ state: 'refused' })).toEqual([2, 1])
  expect(await proposals({ subject: `player:${players[0]}` })).toEqual([5, 3, 1])

  const transfers = await walked((ask) => unmatchedPage(db, ask))
  expect(transfers.map(({ block, logIndex, txId }) => [block, logIndex, txId[0]])).toEqual([
    [8, 2, '5'],
    [8, 1, '4'],
    [7, 2, '2'],
    [7, 1, '1'],
    [7, 0, '3'],
    [7, 0, '0'],
  ])
  const oldest = await walked((ask) => unmatchedPage(db, ask), { order: 'asc' })
  expect(oldest).toEqual(transfers.toReversed())
  expect(await walked((ask) => unmatchedPage(db, { ...ask, state: 'assigned' }))).toEqual([])
})
