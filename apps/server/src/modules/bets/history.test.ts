/** A player's own bets in lists, totals and files: every figure is that of the journal. */
import { orderCsv, orderList, orderTotals } from '@sum28/contract/user-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { addDays, dayOf } from '@sum28/domain/schedule.ts'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addPlayer,
  cashOf,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAccepted,
  type TestRound,
  voidTestRound,
} from '#testing/database/fixtures.ts'
import { shareTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { type ServedRoutes, serveBets } from '#testing/product/served-routes.ts'
import { parseCsv } from '#testing/requests/parse-csv.ts'
import { betCsv } from './bet-csv.ts'
import { settleRound } from './round-bets.ts'

const TIME_ZONE = 'Asia/Singapore'
const TODAY = dayOf(TIME_ZONE, Date.now())
const RANGE = { begin_date: addDays(TODAY, -2), end_date: addDays(TODAY, 2) }
const U = 1_000_000n

/** Which column holds what. */
const [ORDER_NO, PLACED_AT, SELECTIONS, STAKE, STATUS, DRAW, PAYOUT, REFUND, PROFIT] = [
  ...[0, 1, 5, 8, 9, 10, 11, 12, 13],
] as [number, number, number, number, number, number, number, number, number]

function csvPath(query: Record<string, string> = {}): string {
  return `${orderCsv.path}?${new URLSearchParams({ ...RANGE, ...query })}`
}

async function readCsv(response: Response): Promise<{ head: string[]; rows: string[][] }> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [head = [], ...rows] = parseCsv(new TextDecoder().decode(bytes))
  return { head, rows }
}

function sumOf(rows: readonly string[][], column: number): Amount {
  return rows.reduce((all, row) => all + amountFromWire(row[column] ?? ''), 0n)
}

/** The journal's amounts for a player, by kind. */
async function journalOf(
  { owner }: TestDatabase,
  playerId: number,
): Promise<Record<string, Amount>> {
  const rows = await owner.query<{ kind: string; amount: Amount }>(
    'select kind, sum(amount)::bigint as amount from ledger.posting where holder_id = $1 group by kind',
    [playerId],
  )
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]))
}

/** A player with a won, a lost, a refunded and a pending bet of many selections; another with many lost ones besides. */
let player: number
let busy: number
/** He bets the same as they. */
let stranger: number
let open: TestRound
let api: ServedRoutes

const database = shareTestDatabase()
beforeAll(async () => {
  await database.freezeClock(Date.now())
  player = await addPlayer(database, { u: 1_000_000 })
  busy = await addPlayer(database, { u: 1_000_000 })
  stranger = await addPlayer(database, { u: 10_000 })
  const both = (...order: [TestRound, { ruleIds: number[]; u?: number }]) =>
    [player, busy].map((each) => orderFor(each, ...order))

  const drawn = await openTestRound(database, { gameDay: TODAY })
  await placeAccepted(database, [
    ...both(drawn, { ruleIds: [1, 3, 11, 427], u: 50.25 }),
    orderFor(stranger, drawn, { ruleIds: [1, 3] }),
  ])
  await placeAccepted(database, both(drawn, { ruleIds: [2] }))
  await database.owner.query(
    `select bets.place(jsonb_build_array($1::jsonb || jsonb_build_object('ord', n, 'key', 'more ' || n)))
     from generate_series(1, 520) n`,
    [JSON.stringify(orderFor(busy, drawn, { ruleIds: [2, 13] }))],
  )
  await drawTestRound(database, drawn, [9, 9, 9])
  await settleRound(database.db, drawn, TODAY)

  const voided = await openTestRound(database, { gameDay: TODAY })
  await placeAccepted(database, both(voided, { ruleIds: [4, 14], u: 77.77 }))
  await voidTestRound(database, voided)
  await settleRound(database.db, voided, TODAY)

  open = await openTestRound(database, { gameDay: TODAY })
  await placeAccepted(database, both(open, { ruleIds: [1], u: 300 }))
})
beforeEach(async () => {
  api = await serveBets(database.db)
})

describe('the totals of some days', () => {
  it('are those of the journal, and of the listed bets, for each requested status', async () => {
    const journal = await journalOf(database, player)
    const { data } = await api.call(orderTotals, RANGE, player)
    expect(data.count).toBe(4)
    expect(amountFromWire(data.quantity)).toBe(journal.stake)
    expect(amountFromWire(data.payout)).toBe(journal.payout)
    expect(amountFromWire(data.refunded)).toBe(journal.refund)
    expect(data.pending).toBe('300.00')
    const settled = amountFromWire(data.quantity) - 300n * U - (journal.refund ?? 0n)
    expect(amountFromWire(data.profit)).toBe((journal.payout ?? 0n) - settled)

    for (const status of [undefined, 0, 1, 2] as const) {
      const query = { ...RANGE, ...(status === undefined ? {} : { status }) }
      const totals = (await api.call(orderTotals, query, player)).data
      const { data: list } = await api.call(orderList, query, player)
      if (!Array.isArray(list)) return expect.fail('a page')
      const sum = (key: 'quantity' | 'profit') =>
        list.reduce((all, bet) => all + amountFromWire(bet[key]), 0n)
      expect(totals.count).toBe(list.length)
      expect(amountFromWire(totals.quantity)).toBe(sum('quantity'))
      expect(amountFromWire(totals.profit)).toBe(sum('profit'))
    }
  })

  it('of days without bets are zero', async () => {
    const nothing = { begin_date: '2018-01-01', end_date: '2018-12-31' }
    expect((await api.call(orderTotals, nothing, player)).data).toEqual({
      count: 0,
      quantity: '0.00',
      payout: '0.00',
      profit: '0.00',
      pending: '0.00',
      refunded: '0.00',
    })
  })
})

describe('the file of some days', () => {
  it('has every bet once, and its stakes, payouts and refunds are those of the journal', async () => {
    const response = await api.get(csvPath(), busy)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="bets-${RANGE.begin_date}-${RANGE.end_date}.csv"`,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { head, rows } = await readCsv(response)
    expect(head).toHaveLength(15)
    expect(rows).toHaveLength(524)
    expect(new Set(rows.map((row) => row[ORDER_NO])).size).toBe(524)

    const journal = await journalOf(database, busy)
    expect(sumOf(rows, STAKE)).toBe(journal.stake)
    expect(sumOf(rows, PAYOUT)).toBe(journal.payout)
    expect(sumOf(rows, REFUND)).toBe(journal.refund)
    const moved = sumOf(rows, PAYOUT) + sumOf(rows, REFUND) - sumOf(rows, STAKE)
    expect((journal.deposit ?? 0n) + moved).toBe(await cashOf(database, busy))
    const { data } = await api.call(orderTotals, RANGE, busy)
    expect(sumOf(rows, PROFIT)).toBe(amountFromWire(data.profit))
  })

  it('lists each bet as it was, oldest first', async () => {
    const { rows } = await readCsv(await api.get(csvPath(), player))
    const cells = rows.map((row) =>
      [SELECTIONS, STAKE, STATUS, DRAW, PAYOUT, REFUND, PROFIT].map((column) => row[column]),
    )
    // 50.25 × (1.92 + 1.92 + 4.155 + 960), exactly.
    const payout = '48641.74875'
    expect(cells).toEqual([
      ['Long, Odd, Long-odd, 27', '201.00', 'Won', '9 9 9 27', payout, '0.00', '48440.74875'],
      ['Short', '100.00', 'Lost', '9 9 9 27', '0.00', '0.00', '-100.00'],
      ['Even, Short-even', '155.54', 'Refunded', '', '0.00', '155.54', '0.00'],
      ['Long', '300.00', 'Pending', '', '0.00', '0.00', '0.00'],
    ])
    for (const row of rows)
      expect(row[PLACED_AT]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+08:00$/)
  })

  it('has the separator and decimals of its language, and its long numbers as text', async () => {
    const text = await (await api.get(csvPath({ lang: 'vi' }), player)).text()
    const [head = '', first = ''] = text.split('\r\n')
    expect(head.split(';')).toHaveLength(15)
    expect(first).toMatch(/^'\d{12,};/)
    expect(first).toContain(';"201,00";')
  })

  it('contains only the caller’s own bets, and for days without bets a line of headings', async () => {
    const { rows } = await readCsv(await api.get(csvPath(), stranger))
    expect(rows).toHaveLength(1)
    expect(sumOf(rows, STAKE)).toBe((await journalOf(database, stranger)).stake)
    const before = csvPath({ begin_date: '2018-01-01', end_date: '2018-12-31' })
    expect((await readCsv(await api.get(before, player))).rows).toEqual([])
  })

  it('of 366 days is allowed, one of more is refused by an envelope in the player’s language, and one without a token too', async () => {
    const year = csvPath({ begin_date: addDays(TODAY, -363), end_date: addDays(TODAY, 2) })
    expect((await readCsv(await api.get(year, player))).rows).toHaveLength(4)
    const tooLong = csvPath({ begin_date: '2025-01-01', end_date: '2026-01-02', lang: 'zh' })
    const refused = await api.get(tooLong, player)
    expect(refused.headers.get('content-disposition')).toBeNull()
    expect(await refused.json()).toMatchObject({
      code: 400,
      data: { reason: 'invalid_input', fields: { end_date: expect.stringMatching(/366/) } },
    })
    expect((await api.get(csvPath())).status).toBe(401)
  })

  // The last one: it ends the open round.
  it('is made in chunks, all from the snapshot of its beginning', async () => {
    const range = {
      playerId: busy,
      from: Date.now() - 86_400_000,
      until: Date.now() + 86_400_000,
      statuses: ['accepted', 'won', 'lost', 'refunded'] as const,
    }
    const file = betCsv(database.db, range, { lang: 'en', timeZone: TIME_ZONE })
    const linesOf = (text: string | undefined) => (text ?? '').split('\r\n').slice(0, -1)
    const first = linesOf((await file.next()).value as string)
    expect(first).toHaveLength(501)
    // Meanwhile the pending bet is lost, and another is placed.
    await placeAccepted(database, [orderFor(busy, open)])
    await drawTestRound(database, open, [0, 0, 0])
    await settleRound(database.db, open, TODAY)
    const rest: string[][] = []
    for await (const piece of file) rest.push(linesOf(piece))
    expect(rest.map(({ length }) => length)).toEqual([24])
    expect(rest.at(-1)?.at(-1)).toContain('Pending')
    expect(rest.flat().filter((line) => line.includes('Pending'))).toHaveLength(1)
  })
})
