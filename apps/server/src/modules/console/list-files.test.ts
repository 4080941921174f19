/** What a process of the API shows staff: the start page, files of lists, reports, and the lists of all money. */
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
import { reportCsv, reportList, reportTotals } from '@sum28/contract/staff-reports-routes.ts'
import { listWithdrawals } from '@sum28/contract/staff-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { bindList } from '#src/http/call.ts'
import { addPlayer, openTestRound, orderFor, placeAccepted } from '#testing/database/fixtures.ts'
import { addStaff } from '#testing/people/staff.ts'
import { API_ALONE, answerTo, faultsOf, shareTestApp } from '#testing/product/test-app.ts'
import { parseCsv } from '#testing/requests/parse-csv.ts'
import { listFiles } from './list-files-routes.ts'
import { notesOn } from './players/player-lists.ts'

/** An API process alone: what a list has changes when a test says so. */
const test = shareTestApp(API_ALONE)

describe('the start page', () => {
  type Who = { token: string }
  const needsOf = async (who: Who) => (await test.call(startNeeds, {}, who)).data.needs
  const owner = (statement: string, values: unknown[] = []) =>
    test.database.owner.query(statement, values)

  it('shows each role the pending tasks that it may see, and whose turn they are', async () => {
    await owner(
      `insert into games.stop (scope, subject_id, reason, stopped_by, stopped_at)
       select 'room', 11, 'fault', min(id), app.now() - interval '2 hours' from staff.member`,
    )
    onTestFinished(async () => void (await owner('delete from games.stop')))
    const finance = await addStaff(test, 'finance')
    const editor = await addStaff(test, 'editor')
    const boss = await addStaff(test, 'owner')
    expect(await needsOf(finance)).toEqual([
      { need: 'stops', yours: false, count: 1, since: expect.any(Number), hour: 1, day: 0 },
    ])
    expect(await needsOf(boss)).toMatchObject([{ need: 'stops', yours: true }])
    expect(await needsOf(editor)).toEqual([])
    // Guessed codes are the task of those who may change members.
    const guessed = (tries: number) =>
      owner('update staff.member set code_tries = $2, code_tried_at = app.now() where name = $1', [
        editor.login.name,
        tries,
      ])
    onTestFinished(async () => void (await guessed(0)))
    await guessed(5)
    expect((await needsOf(boss)).map(({ need }) => need)).toContain('staff_codes_guessed')
    expect(await needsOf(finance)).toMatchObject([{ need: 'stops' }])
  })

  it('has a difference of chain and ledger for those who may explain it, and a fault for all but the auditor', async () => {
    await owner(
      `insert into deposits.chain_difference (kind, tx_id, log_index, details)
       values ('amount_differs', repeat('d', 64), 0, '{}')`,
    )
    const wrongSince = (time: string) => owner(`update app.books_checked set wrong_since = ${time}`)
    await wrongSince('app.now()')
    onTestFinished(async () => {
      await owner('delete from deposits.chain_difference')
      await wrongSince('null')
    })
    for (const [role, explains, helps] of [
      ['finance', true, true],
      ['support', false, true],
      ['auditor', false, false],
    ] as const) {
      expect(await needsOf(await addStaff(test, role)), role).toMatchObject([
        { need: 'books_unchecked', yours: helps, count: 1 },
        { need: 'differences_found', yours: explains, count: 1 },
      ])
    }
  })
})

async function fileOf(
  { path }: { path: string },
  ask: Record<string, string>,
  { token }: { token: string },
) {
  const query = new URLSearchParams(ask)
  const reply = await test.fetch(`${path}?${query}`, { headers: { Token: token } })
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [headings = [], ...rows] = parseCsv((await reply.text()).replace('\uFEFF', ''))
  return rows.map((row) => Object.fromEntries(headings.map((name, at) => [name, row[at]])))
}

async function addNotes(playerId: number, count: number, text = 'note') {
  await test.database.owner.query(
    `insert into console_players.note (player_id, text, written_by, written_at)
     select $1, $2 || ' ' || n, (select min(id) from staff.member), '2026-11-20 12:00Z'
     from generate_series(1, $3::integer) n`,
    [playerId, text, count],
  )
}

describe('the file of a list', () => {
  it('has all rows of all pages once, in the order of the list, without formulas', async () => {
    const auditor = await addStaff(test, 'auditor')
    const player = await addPlayer(test.database)
    await addNotes(player, 205, '=cmd')
    const rows = await fileOf(csvOf(playerNotes), { user_id: String(player) }, auditor)
    expect(rows.map(({ text }) => text)).toEqual(
      Array.from({ length: 205 }, (_, at) => `'=cmd ${205 - at}`),
    )
    expect(rows[0]?.at).toMatch(/^2026-11-20 \d\d:00:00 [+-]\d\d:00$/)
  })

  it('has only what the filters leave, and a wrong filter begins none', async () => {
    const finance = await addStaff(test, 'finance')
    await addPlayer(test.database, { name: 'filed_one' })
    await addPlayer(test.database, { name: 'filed_two' })
    const ask = { q: 'filed_', sort: 'username', order: 'asc' }
    const rows = await fileOf(csvOf(listPlayers), ask, finance)
    expect(rows.map(({ username }) => username)).toEqual(['filed_one', 'filed_two'])
    const wrong = await test.fetch(`${csvOf(listBets).path}?issue=soon`, {
      headers: { Token: finance.token },
    })
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toMatchObject({ data: { fields: { issue: expect.any(String) } } })
  })

  it('is written in the audit log, with its filters and who took it, and no address of whoever was searched by it', async () => {
    const { login, ...support } = await addStaff(test, 'support')
    await fileOf(csvOf(listWithdrawals), { state: 'paid' }, support)
    await fileOf(csvOf(listPlayers), { q: 'mai@tran.example' }, support)
    const owner = await addStaff(test, 'owner')
    const [own, ...rows] = await fileOf(csvOf(listAuditRows), { what: 'list_exported' }, owner)
    // The file itself was begun when its own row stood.
    expect(own).toMatchObject({ staff: owner.login.name, subject: 'list:auditRows' })
    expect(rows.filter(({ staff }) => staff === login.name)).toMatchObject([
      { subject: 'list:players', details: JSON.stringify({ q: 'm***@tran.example' }) },
      { subject: 'list:withdrawals', details: JSON.stringify({ state: 'paid' }) },
    ])
  })

  it('shows one instant, and reads a page only when the one before is taken', async () => {
    let pages = 0
    const { playerId, chunks } = await fileOfNotes(async () => {
      pages += 1
    })
    const pieces: string[] = []
    pages = 0
    for await (const piece of chunks) {
      pieces.push(String(piece))
      if (pieces.length > 1) continue
      await later(50)
      expect(pages).toBe(1)
      await addNotes(playerId, 100, 'late')
    }
    expect(pieces.join('').split('\r\n')).toHaveLength(1 + 250 + 1)
    expect(pieces.join('')).not.toContain('late')
  })

  it('that breaks in the middle ends with a failure, not as if it were whole', async () => {
    const { chunks } = await fileOfNotes(async (db, after) => {
      if (after) await db.query('select 1 / 0')
    })
    const pieces = chunks[Symbol.asyncIterator]()
    expect(await pieces.next()).toMatchObject({ done: false })
    await expect(pieces.next()).rejects.toThrow('division by zero')
  })
})

/** The file of 250 notes on a player, for whose pages this is done before. */
async function fileOfNotes(onPage: (db: Queryable, after: string | undefined) => Promise<void>) {
  const { login: _, ...caller } = await addStaff(test, 'support')
  const playerId = await addPlayer(test.database)
  await addNotes(playerId, 250)
  const list = bindList(test.app.db, playerNotes, async (db, input) => {
    await onPage(db, input.after)
    const page = await notesOn(db, { ...input, playerId })
    if ('refused' in page) return page
    return { ...page, list: page.list.map((note) => ({ ...note, id: Number(note.id) })) }
  })
  const { db } = test.app
  const [binding] = listFiles({ db, fileDb: db, timeZone: 'UTC' }, [list])
  const file = await binding?.handle({ input: { user_id: playerId }, caller, lang: 'en' })
  if (!file || 'refused' in file) throw new Error('refused')
  return { playerId, chunks: file.chunks }
}

it('a trial balance is a file with the rows of the page', async () => {
  const auditor = await addStaff(test, 'auditor')
  await addPlayer(test.database, { u: 300 })
  const { data } = await test.call(trialBalance, {}, auditor)
  const rows = await fileOf(trialBalanceCsv, {}, auditor)
  const ofPage = data.list.flatMap(({ account, kinds }) =>
    kinds.map((kind) => ({ account, ...kind })),
  )
  expect(rows).toHaveLength(ofPage.length)
  expect(rows).toEqual(expect.arrayContaining(ofPage))
  const { list } = (await test.call(listAuditRows, { limit: 1 }, auditor)).data
  expect(list).toMatchObject([
    {
      action: 'list_exported',
      subject: 'list:money-trialBalance',
      staff: auditor.login.name,
      details: { day: data.day },
    },
  ])
})

describe('the lists of all money', () => {
  it('show bets by room, round, time and amount', async () => {
    const { database } = test
    const support = await addStaff(test, 'support')
    const player = await addPlayer(database, { u: 5_000, name: 'betting_one' })
    const round = await openTestRound(database)
    const other = await openTestRound(database, { gameId: 2 })
    await placeAccepted(database, [orderFor(player, round, { u: 2_000 })])
    await placeAccepted(database, [orderFor(player, other, { ruleIds: [1, 2] })])
    const bets = async (ask: object) => {
      const { list } = (await test.call(listBets, ask as never, support)).data
      return list.filter(({ user_id: id }) => id === player)
    }
    const days = { from_day: '2026-11-01', until_day: '2026-11-30' }
    expect(await bets({ issue: round.issue, game_id: 1 })).toMatchObject([
      { username: 'betting_one', robot: false, issue: round.issue, total: '2000.00' },
    ])
    for (const [ask, totals] of [
      [{}, ['200.00', '2000.00']],
      [{ game_id: 2 }, ['200.00']],
      [{ room_id: 11 }, ['2000.00']],
      [{ room_id: 11, amount_from: '1000', ...days }, ['2000.00']],
      [{ from_day: '2026-01-01' }, ['200.00', '2000.00']],
      [{ until_day: '2026-01-01' }, []],
    ] as const) {
      expect((await bets(ask)).map(({ total }) => total)).toEqual(totals)
    }
  })

  it('ask for days, at most 31, or 7 of bets in all rooms, when few of many rows may have the amount', async () => {
    const support = await addStaff(test, 'support')
    const month = { amount_from: '1', from_day: '2026-09-01', until_day: '2026-10-01' }
    for (const [list, ask, expected] of [
      [listDeposits, { amount_until: '5' }, 'from_day'],
      [listDeposits, month, 'done'],
      [listDeposits, { ...month, until_day: '2026-10-02' }, 'until_day'],
      [listBets, { amount_from: '9999.99' }, 'from_day'],
      [listBets, { ...month, room_id: 11 }, 'done'],
      [listBets, { ...month, room_id: 11, until_day: '2026-10-02' }, 'until_day'],
      [listBets, { ...month, game_id: 1, until_day: '2026-09-07' }, 'done'],
      [listBets, { ...month, game_id: 1, until_day: '2026-09-08' }, 'until_day'],
      [listBets, { amount_from: '1', issue: '20261120001' }, 'done'],
    ] as const) {
      const reply = test.call(list, ask, support)
      const [fault] = await faultsOf(reply)
      expect(fault ?? (await answerTo(reply)), JSON.stringify(ask)).toBe(expected)
    }
  })

  it('show deposits by bank and by chain, and a player’s statement is a file', async () => {
    const { database } = test
    const support = await addStaff(test, 'support')
    const player = await addPlayer(database, { u: 250, name: 'paying_one' })
    await database.owner.query(
      `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount, player_id,
         credited_at)
       values (repeat('a', 64), 0, 7, app.now(), 'from', 'to', 70000000, $1, app.now())`,
      [player],
    )
    await database.owner.query(
      `insert into staff.proposal (kind, subject, player_id, content, proposed_by, proposed_at)
       select 'bank_deposit', 'player:' || $1::integer, $1, '{"amount": 80000000, "reference": "B7"}',
         min(id), app.now() from staff.member`,
      [player],
    )
    const deposits = async (ask: object) => {
      const { data } = await test.call(listDeposits, ask as never, support)
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

const RANGE = { begin_date: '2026-11-20', end_date: '2026-11-20' }

describe('the reports', () => {
  it('can be read by the auditor too, and as a file with a name, without formulas, that is in the audit log', async () => {
    const auditor = await addStaff(test, 'auditor')
    // One bet of 100 u on long, which won 92 u; reports.test.ts shows how rounds are counted.
    await test.database.owner.query(
      `insert into console_start.day_figure values ('2026-11-20', 1, 11, false, 1, 100e6, 192e6, 96e6, 9216e12),
        ('2026-11-20', 1, 0, false, 1, 100e6, 192e6, 96e6, 9216e12)`,
    )
    await test.database.owner.query(`update games.room set title = '=1+1' where id = 11`)
    const ask = { by: 'room' as const, ...RANGE }
    const { list } = (await test.call(reportList, ask, auditor)).data
    expect(list).toMatchObject([
      { id: 11, room: '=1+1', expected: '96.00', deviation: '96.00', deposits: null },
    ])
    const { data: totals } = await test.call(reportTotals, ask, auditor)
    expect(totals).toMatchObject({ ...RANGE, rows: 1, bets: 1, turnover: '100.00' })

    const headers = { Token: auditor.token }
    const file = await test.fetch(`${reportCsv.path}?${new URLSearchParams(ask)}`, { headers })
    expect(file.headers.get('content-disposition')).toBe(
      'attachment; filename="report-by-room-2026-11-20-2026-11-20.csv"',
    )
    const [headings, row, ...more] = parseCsv((await file.text()).replace('\uFEFF', ''))
    expect(headings?.slice(0, 4)).toEqual(['game', 'room', 'bets', 'turnover'])
    expect(row?.slice(1, 6)).toEqual(["'=1+1", '1', '100.00', '192.00', '-92.00'])
    expect(more).toEqual([])
    const taken = await test.call(listAuditRows, { what: 'list_exported', limit: 1 }, auditor)
    expect(taken.data.list).toMatchObject([
      { subject: 'list:reports', staff: auditor.login.name, details: { by: 'room', ...RANGE } },
    ])
  })
})
