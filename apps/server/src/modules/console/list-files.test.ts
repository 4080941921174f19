import { setTimeout as later } from 'node:timers/promises'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { trialBalance, trialBalanceCsv } from '@sum28/contract/staff-books-routes.ts'
import { csvOf } from '@sum28/contract/staff-list.ts'
import {
  listBets,
  listDeposits,
  listPlayers,
  playerNotes,
  playerStatement,
} from '@sum28/contract/staff-players-routes.ts'
import { listWithdrawals } from '@sum28/contract/staff-routes.ts'
import { describe, expect, it } from 'vitest'
import { bindList } from '#src/http/call.ts'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { addStaff } from '#testing/people/staff.ts'
import { shareTestApp } from '#testing/product/test-app.ts'
import { parseCsv } from '#testing/requests/parse-csv.ts'
import { listFiles } from './list-files-routes.ts'
import { notesOn } from './players/player-lists.ts'

/** An API process alone: what a list has changes when a test says so. */
const app = shareTestApp({ ROLE: 'api', DATABASE_URL: 'postgres://unused', SEED_KEY: '' })

async function fileOf(
  { path }: { path: string },
  ask: Record<string, string>,
  { token }: { token: string },
) {
  const query = new URLSearchParams(ask)
  const reply = await app().fetch(`${path}?${query}`, { headers: { Token: token } })
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [headings = [], ...rows] = parseCsv((await reply.text()).replace('\uFEFF', ''))
  return rows.map((row) => Object.fromEntries(headings.map((name, at) => [name, row[at]])))
}

async function addNotes(playerId: number, count: number, text = 'note') {
  await app().database.owner.query(
    `insert into console_players.note (player_id, text, written_by, written_at)
     select $1, $2 || ' ' || n, (select min(id) from staff.member), '2026-11-20 12:00Z'
     from generate_series(1, $3::integer) n`,
    [playerId, text, count],
  )
}

describe('the file of a list', () => {
  it('has all rows of all pages once, in the order of the list, without formulas', async () => {
    const auditor = await addStaff(app(), 'auditor')
    const player = await addPlayer(app().database)
    await addNotes(player, 205, '=cmd')
    const rows = await fileOf(csvOf(playerNotes), { user_id: String(player) }, auditor)
    expect(rows.map(({ text }) => text)).toEqual(
      Array.from({ length: 205 }, (_, at) => `'=cmd ${205 - at}`),
    )
    expect(rows[0]?.at).toMatch(/^2026-11-20 \d\d:00:00 [+-]\d\d:00$/)
  })

  it('has only what the filters leave, and a wrong filter begins none', async () => {
    const finance = await addStaff(app(), 'finance')
    await addPlayer(app().database, { name: 'filed_one' })
    await addPlayer(app().database, { name: 'filed_two' })
    const rows = await fileOf(
      csvOf(listPlayers),
      { q: 'filed_', sort: 'username', order: 'asc' },
      finance,
    )
    expect(rows.map(({ username }) => username)).toEqual(['filed_one', 'filed_two'])
    const wrong = await app().fetch(`${csvOf(listBets).path}?issue=soon`, {
      headers: { Token: finance.token },
    })
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toMatchObject({ data: { fields: { issue: expect.any(String) } } })
  })

  it('is written in the audit log, with its filters and who took it', async () => {
    const { login, ...finance } = await addStaff(app(), 'finance')
    await fileOf(csvOf(listWithdrawals), { state: 'paid' }, finance)
    const owner = await addStaff(app(), 'owner')
    const rows = await fileOf(csvOf(listAuditRows), { what: 'list_exported' }, owner)
    // The file itself was begun when its own row stood.
    expect(rows[0]).toMatchObject({ staff: owner.login.name, subject: 'list:auditRows' })
    expect(rows.find(({ staff }) => staff === login.name)).toMatchObject({
      ...{ action: 'list_exported', subject: 'list:withdrawals' },
      details: JSON.stringify({ state: 'paid' }),
    })
  })

  it('shows one instant, and reads a page only when the one before is taken', async () => {
    const { login: _, ...staff } = await addStaff(app(), 'support')
    const player = await addPlayer(app().database)
    await addNotes(player, 250)
    let pages = 0
    const list = bindList(app().app.db, playerNotes, async (db, input) => {
      pages += 1
      const page = await notesOn(db, { ...input, playerId: player })
      if ('refused' in page) return page
      return { ...page, list: page.list.map((note) => ({ ...note, id: Number(note.id) })) }
    })
    const [binding] = listFiles(depsOfFiles(), [list])
    const call = { input: { user_id: player }, caller: staff, lang: 'en' as const }
    const file = await binding?.handle(call)
    if (!file || 'refused' in file) throw new Error('refused')
    const pieces: string[] = []
    pages = 0
    for await (const piece of file.chunks) {
      pieces.push(String(piece))
      if (pieces.length > 1) continue
      await later(50)
      expect(pages).toBe(1)
      await addNotes(player, 100, 'late')
    }
    expect(pieces.join('').split('\r\n')).toHaveLength(1 + 250 + 1)
    expect(pieces.join('')).not.toContain('late')
  })

  it('that breaks in the middle ends with a failure, not as if it were whole', async () => {
    const { login: _, ...staff } = await addStaff(app(), 'support')
    const player = await addPlayer(app().database)
    await addNotes(player, 250)
    const list = bindList(app().app.db, playerNotes, async (db, { after, ...input }) => {
      if (after) await db.query('select 1 / 0')
      const page = await notesOn(db, { ...input, playerId: player })
      return page as never
    })
    const [binding] = listFiles(depsOfFiles(), [list])
    const file = await binding?.handle({
      ...{ input: { user_id: player }, caller: staff, lang: 'en' as const },
    })
    if (!file || 'refused' in file) throw new Error('refused')
    const pieces = file.chunks[Symbol.asyncIterator]()
    expect(await pieces.next()).toMatchObject({ done: false })
    await expect(pieces.next()).rejects.toThrow('division by zero')
  })
})

function depsOfFiles() {
  const { db } = app().app
  return { db, fileDb: db, timeZone: 'UTC' }
}

it('a trial balance is a file with the sums of the page', async () => {
  const auditor = await addStaff(app(), 'auditor')
  await addPlayer(app().database, { u: 300 })
  const { data } = await app().call(trialBalance, {}, auditor)
  const rows = await fileOf(trialBalanceCsv, {}, auditor)
  const sumOf = (side: 'debit' | 'credit') => {
    const cents = rows.map((row) => BigInt(row[side]?.replace('.', '') || '0'))
    const sum = `${cents.reduce((one, other) => one + other, 0n)}`.padStart(3, '0')
    return `${sum.slice(0, -2)}.${sum.slice(-2)}`
  }
  expect([sumOf('debit'), sumOf('credit')]).toEqual([data.debit, data.credit])
  const { data: log } = await app().call(listAuditRows, { limit: 1 }, auditor)
  expect(log.list).toMatchObject([
    {
      ...{ action: 'list_exported', subject: 'list:money-trialBalance' },
      ...{ staff: auditor.login.name, details: { day: data.day } },
    },
  ])
})

describe('the lists of all money', () => {
  it('show bets by room, round, time and amount', async () => {
    const { database } = app()
    const support = await addStaff(app(), 'support')
    const player = await addPlayer(database, { u: 5_000, name: 'betting_one' })
    const round = await openTestRound(database)
    const other = await openTestRound(database, { gameId: 2 })
    const large = orderFor(player, round, { ruleIds: [1], u: 2_000 })
    expect(await placeAll(database, [large])).toEqual([null])
    const small = orderFor(player, other, { ruleIds: [1, 2] })
    expect(await placeAll(database, [small])).toEqual([null])
    const bets = async (ask: object) => (await app().call(listBets, ask as never, support)).data
    const mine = async (ask: object) =>
      (await bets(ask)).list.filter(({ user_id: id }) => id === player).map(({ total }) => total)
    expect((await bets({ issue: round.issue, game_id: 1 })).list).toMatchObject([
      { username: 'betting_one', robot: false, issue: round.issue, total: '2000.00' },
    ])
    expect(await mine({})).toEqual(['200.00', '2000.00'])
    expect(await mine({ game_id: 2 })).toEqual(['200.00'])
    expect(await mine({ room_id: 11 })).toEqual(['2000.00'])
    expect(await mine({ amount_from: '1000', from_day: '2026-11-01' })).toEqual(['2000.00'])
    expect(await mine({ from_day: '2026-01-01' })).toEqual(['200.00', '2000.00'])
    expect(await mine({ until_day: '2026-01-01' })).toEqual([])
  })

  it('ask for days, at most 31, when few of many rows may have the amount', async () => {
    const support = await addStaff(app(), 'support')
    for (const [ask, field] of [
      [{ amount_until: '5' }, 'from_day'],
      [{ amount_from: '9999.99' }, 'from_day'],
      [{ amount_from: '1', from_day: '2026-09-01', until_day: '2026-10-02' }, 'until_day'],
    ] as const) {
      for (const list of [listBets, listDeposits]) {
        const reply = await app().call(list, ask, support)
        expect(reply).toMatchObject({
          http: 400,
          data: { fields: { [field]: expect.any(String) } },
        })
      }
    }
    const days = { amount_from: '1', from_day: '2026-09-01', until_day: '2026-10-01' }
    expect((await app().call(listBets, days, support)).http).toBe(200)
    expect(
      (await app().call(listBets, { amount_from: '1', issue: '20261120001' }, support)).http,
    ).toBe(200)
  })

  it('show deposits by bank and by chain, and a player’s statement is a file', async () => {
    const { database } = app()
    const support = await addStaff(app(), 'support')
    const player = await addPlayer(database, { u: 250, name: 'paying_one' })
    await database.owner.query(
      `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount, player_id,
         credited_at)
       values (repeat('a', 64), 0, 7, app.now(), 'from', 'to', 70000000, $1, app.now())`,
      [player],
    )
    await database.owner.query(
      `insert into staff.proposal (kind, subject, player_id, content, proposed_by, proposed_at)
       select 'bank_deposit', 'player:' || $1::integer, $1, '{"amount": 80000000, "reference": "B7", "reference_key": "B7"}',
         min(id), app.now() from staff.member`,
      [player],
    )
    const deposits = async (ask: object) => {
      const { data } = await app().call(listDeposits, ask as never, support)
      return data.list.map(({ username, by, quantity, state }) => [username, by, quantity, state])
    }
    const [bank, chain] = [
      ['paying_one', 'bank', '80.00', 'proposed'],
      ['paying_one', 'chain', '70.00', 'credited'],
    ]
    expect(await deposits({})).toEqual([bank, chain])
    expect(await deposits({ by: 'bank' })).toEqual([bank])
    expect(await deposits({ by: 'chain' })).toEqual([chain])
    expect(await deposits({ until_day: '2026-01-01' })).toEqual([])
    const statement = await fileOf(csvOf(playerStatement), { user_id: String(player) }, support)
    expect(statement).toMatchObject([{ quantity: '250.00', cash_after: '250.00' }])
  })
})
