/**
 * Pages of the console's lists with ten million rows of each kind, against a thousand, on the same machine in
 * the same run: the first page, pages from the middle, and filtered ones. Nothing is cached between reads.
 * BENCH_ROWS is the number of rows; with --short it is 100,000.
 */
import type { Queryable } from '@sum28/server/src/db/database.ts'
import { heldDepositPage } from '@sum28/server/src/modules/console-money/held-deposit-store.ts'
import * as lists from '@sum28/server/src/modules/console-players/player-lists.ts'
import { playersPage } from '@sum28/server/src/modules/console-players/players-store.ts'
import { signPage } from '@sum28/server/src/modules/console-players/signs-store.ts'
import {
  type ReportAsk,
  reportPage,
} from '@sum28/server/src/modules/console-reports/report-store.ts'
import { auditRows } from '@sum28/server/src/modules/staff/audit-rows.ts'
import { fillConsole } from './console-rows.ts'
import { startBenchDatabase } from './database.ts'
import { isShort, median, printTable, type Row, report, saveFigures } from './report.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? (isShort ? 100_000 : 10_000_000))
const FEW = 1_000
const TURNS = isShort ? 10 : 40
const WARM_UP = 3

/** A list that would read everything is given up after so many turns. */
const SLOW_MS = 1_000

/** @param rows how many there are: a page from the middle begins at half of them */
type Read = (db: Queryable, rows: number) => Promise<unknown>

/** The cursor behind the row in the middle, of a list that is sorted by its id. */
function middle(rows: number, sort = 'id'): string {
  const id = String(Math.floor(rows / 2))
  return Buffer.from(JSON.stringify([sort, 'desc', id, id])).toString('base64url')
}

const ZONE = 'Asia/Singapore'

function days(by: ReportAsk['by'], endDay: string): ReportAsk {
  const [from, until] = [Date.parse('2024-01-01'), Date.parse(endDay) + 86_400_000]
  const all = { gameId: null, roomId: null, playerId: null, robots: false, zone: ZONE }
  return { ...all, by, beginDay: '2024-01-01', endDay, from, until }
}

const READS: Record<string, Read> = {
  'players, newest first': (db) => playersPage(db, ZONE, {}),
  'players, by name': (db) => playersPage(db, ZONE, { sort: 'username', order: 'asc' }),
  'players, frozen': (db) => playersPage(db, ZONE, { state: 'frozen' }),
  'players, visitors': (db) => playersPage(db, ZONE, { groupId: 2 }),
  'players, of a beginning of a name': (db) => playersPage(db, ZONE, { q: 'p00000005' }),
  'players, of a number': (db) => playersPage(db, ZONE, { q: '77' }),
  'audit log, newest first': (db) => auditRows(db, ZONE, {}),
  'audit log, from the middle': (db, rows) => auditRows(db, ZONE, { after: middle(rows) }),
  'audit log, of a member': (db) => auditRows(db, ZONE, { staff: 'member7' }),
  'audit log, of an action': (db) => auditRows(db, ZONE, { what: 'bench.7' }),
  'audit log, of a subject': (db) => auditRows(db, ZONE, { subject: 'player:77' }),
  'statement of a player': (db) => lists.postingsOf(db, { playerId: 1 }),
  'bets of a player': (db) => lists.betsOf(db, { playerId: 1 }),
  'bets of a player, from the middle': (db, rows) =>
    lists.betsOf(db, { playerId: 1, after: middle(rows) }),
  'withdrawals of a player': (db) => lists.withdrawalsOf(db, { playerId: 1 }),
  'deposits of a player': (db) => lists.depositsOf(db, { playerId: 78 }),
  'invited by a player': (db) => lists.inviteesOf(db, { playerId: 1 }),
  'held deposits, newest first': (db) => heldDepositPage(db, {}),
  'held deposits, of a player': (db) => heldDepositPage(db, { playerId: 77 }),
  'held deposits, that wait': (db) => heldDepositPage(db, { state: 'held' }),
  'early signs, newest first': (db) => signPage(db, {}),
  'early signs, from the middle': (db, rows) => signPage(db, { after: middle(rows) }),
  'early signs, of a player': (db) => signPage(db, { playerId: 77 }),
  'report by day, a year': (db) => reportPage(db, days('day', '2024-12-31'), {}),
  'report by room, a year': (db) => reportPage(db, days('room', '2024-12-31'), {}),
  'report by player, one day': (db) =>
    reportPage(db, days('player', '2024-01-01'), { sort: 'turnover' }),
  'report by day, of a player': (db) =>
    reportPage(db, { ...days('day', '2024-12-31'), playerId: 1 }, {}),
}

const many = await startBenchDatabase(2)
const few = await startBenchDatabase(2)
try {
  const started = performance.now()
  await fillConsole(many.owner, ROWS)
  await fillConsole(few.owner, FEW)
  report('The console’s lists', [
    { name: 'rows of each kind', value: ROWS, unit: '' },
    { name: 'made in', value: (performance.now() - started) / 1000, unit: 's' },
  ])
  const table: Row[] = []
  for (const [name, read] of Object.entries(READS)) {
    const plan = await scansOf(many.db, (db) => read(db, ROWS))
    const [ofFew, ofMany]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < TURNS; turn++) {
      const tookFew = await timed(name, () => read(few.db, FEW))
      const tookMany = await timed(name, () => read(many.db, ROWS))
      if (turn < WARM_UP && tookMany < SLOW_MS) continue
      ofFew.push(tookFew)
      ofMany.push(tookMany)
      if (tookMany > SLOW_MS && turn >= 2) break
    }
    const row = {
      name,
      'a thousand, ms': median(ofFew),
      'all, ms': median(ofMany),
      'ratio, ×': median(ofMany) / median(ofFew),
      'reads whole tables': plan,
    }
    console.log(JSON.stringify(row))
    table.push(row)
  }
  printTable('A page of each list', table)
  saveFigures('console-lists', { rows: ROWS, lists: table })
} finally {
  await Promise.all([many.stop(), few.stop()])
}

async function timed(name: string, read: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  const page = (await read()) as { list?: readonly unknown[] }
  if (!page.list?.length) throw new Error(`a page is empty: ${name}`)
  return performance.now() - start
}

/** The tables that a read's statements scan from end to end. */
async function scansOf(db: Queryable, read: (db: Queryable) => Promise<unknown>): Promise<string> {
  const scans = new Set<string>()
  await read({
    async query(text, values = []) {
      const plan = await db.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
      for (const line of plan) {
        const table = /Seq Scan on (\w+)/.exec(line['QUERY PLAN'])?.[1]
        if (table && !/^(game|room|member|rule)$/.test(table)) scans.add(table)
      }
      return db.query(text, values)
    },
  } as Queryable)
  return [...scans].join(', ') || '–'
}
