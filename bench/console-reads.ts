/** A page of every list of the console, by the path of its call, with each of its filters and sorts. */
import type { Queryable } from '@sum28/server/src/db/database.ts'
import { pieceRows } from '@sum28/server/src/modules/console-content/piece-store.ts'
import { changeRows } from '@sum28/server/src/modules/console-games/change-store.ts'
import { timelinePage } from '@sum28/server/src/modules/console-games/timeline-store.ts'
import { adjustmentPage } from '@sum28/server/src/modules/console-money/adjustment-store.ts'
import { batchPage } from '@sum28/server/src/modules/console-money/bank-batch-store.ts'
import { heldDepositPage } from '@sum28/server/src/modules/console-money/held-deposit-store.ts'
import { likenessPage } from '@sum28/server/src/modules/console-players/likeness-store.ts'
import * as lists from '@sum28/server/src/modules/console-players/player-lists.ts'
import { playersPage } from '@sum28/server/src/modules/console-players/players-store.ts'
import { codeResetPage } from '@sum28/server/src/modules/console-players/reset-store.ts'
import { contactsOf, signPage } from '@sum28/server/src/modules/console-players/signs-store.ts'
import {
  type ReportRequest,
  reportPage,
} from '@sum28/server/src/modules/console-reports/report-store.ts'
import { readNeeds } from '@sum28/server/src/modules/console-start/needs-store.ts'
import { unmatchedPage } from '@sum28/server/src/modules/deposits/assignment-store.ts'
import { bankDepositPage } from '@sum28/server/src/modules/deposits/bank-deposit-store.ts'
import { differencePage } from '@sum28/server/src/modules/deposits/difference-store.ts'
import { auditList } from '@sum28/server/src/modules/staff/audit.ts'
import { auditRows } from '@sum28/server/src/modules/staff/audit-rows.ts'
import { frozenPage } from '@sum28/server/src/modules/staff/freeze-store.ts'
import { risksOf } from '@sum28/server/src/modules/withdrawals/risk-store.ts'
import { withdrawalPage } from '@sum28/server/src/modules/withdrawals/withdrawal-store.ts'

/** @param rows how many the largest kinds have: a page from the middle begins at half of them */
export type Read = (db: Queryable, rows: number) => Promise<unknown>

/** The cursor behind the row of this id, or that many micro-units, days or whatever it is sorted by. */
function behind(id: number, { sort = 'id', order = 'desc', at = id } = {}): string {
  return Buffer.from(JSON.stringify([sort, order, String(at), String(id)])).toString('base64url')
}

/** Behind the row in the middle. */
function middle(rows: number, sort = 'id'): string {
  return behind(Math.floor(rows / 2), { sort })
}

const ZONE = 'Asia/Singapore'

function days(by: ReportRequest['by'], beginDay: string, endDay: string): ReportRequest {
  const [from, until] = [Date.parse(beginDay), Date.parse(endDay) + 86_400_000]
  const all = { gameId: null, roomId: null, playerId: null, robots: false, zone: ZONE }
  return { ...all, by, beginDay, endDay, from, until }
}

const year = (by: ReportRequest['by']) => days(by, '2024-01-01', '2024-12-31')

/** As the call does it: with the hints about those that wait. */
async function withdrawals(db: Queryable, ask: Parameters<typeof withdrawalPage>[1]) {
  const page = await withdrawalPage(db, ask)
  if (!('list' in page)) return page
  const waiting = page.list.filter(({ state }) => state === 'waiting')
  await risksOf(
    db,
    waiting.map(({ id }) => id),
  )
  return page
}

/** Six digits, of ten million: what about ten names begin with. */
function beginning(rows: number): string {
  return `p${'5'.padEnd(Math.round(Math.log10(rows)) - 1, '0')}`
}

/** The number of the order that the bench placed as the middle one. */
async function orderNo(db: Queryable, rows: number): Promise<string> {
  const [bet] = await db.query<{ no: string }>(
    `select order_no as no from bets.bet where room_id = 11 and id = $1`,
    [Math.floor(rows / 2)],
  )
  return bet?.no ?? ''
}

/** Each list of the contract, which a test compares with it. */
export const LISTS: Record<string, Record<string, Read>> = {
  '/api/staff/players': {
    'players, newest first': (db) => playersPage(db, ZONE, {}),
    'players, by name': (db) => playersPage(db, ZONE, { sort: 'username', order: 'asc' }),
    'players, frozen': (db) => playersPage(db, ZONE, { state: 'frozen' }),
    'players, closed': (db) => playersPage(db, ZONE, { state: 'closed' }),
    'players, frozen, by name': (db) =>
      playersPage(db, ZONE, { state: 'frozen', sort: 'username', order: 'asc' }),
    'players, frozen visitors': (db) => playersPage(db, ZONE, { state: 'frozen', groupId: 2 }),
    'players, visitors': (db) => playersPage(db, ZONE, { groupId: 2 }),
    'players, of a day long ago': (db) =>
      playersPage(db, ZONE, { fromDay: '2024-06-01', untilDay: '2024-06-30' }),
    'players, of a beginning of a name': (db, rows) =>
      playersPage(db, ZONE, { q: beginning(rows) }),
    'players, of a letter': (db) => playersPage(db, ZONE, { q: 'p5' }),
    'players, of a number': (db) => playersPage(db, ZONE, { q: '77' }),
    'players, of an address': (db) => playersPage(db, ZONE, { q: 'T77' }),
    'players, of an order': async (db, rows) =>
      playersPage(db, ZONE, { q: await orderNo(db, rows) }),
  },
  '/api/staff/players/statement': {
    'statement of a player': (db) => lists.postingsOf(db, { playerId: 1 }),
    'statement of a player, from the middle': (db, rows) =>
      lists.postingsOf(db, {
        playerId: 1,
        after: behind(Math.floor(rows / 2), { sort: 'at', at: 1_749_000_000_000_000 }),
      }),
  },
  '/api/staff/players/bets': {
    'bets of a player': (db) => lists.betsOf(db, { playerId: 1 }),
    'bets of a player, from the middle': (db, rows) =>
      lists.betsOf(db, { playerId: 1, after: middle(rows) }),
  },
  '/api/staff/players/deposits': {
    'deposits of a player': (db) => lists.depositsOf(db, { playerId: 8 }),
  },
  '/api/staff/players/withdrawals': {
    'withdrawals of a player': (db) => lists.withdrawalsOf(db, { playerId: 1 }),
  },
  '/api/staff/players/invitees': {
    'invited by a player': (db) => lists.inviteesOf(db, { playerId: 1 }),
  },
  '/api/staff/players/actions': {
    'what staff did about a player': (db) => lists.actionsOn(db, { playerId: 8 }),
  },
  '/api/staff/players/notes': {
    'notes about a player': (db) => lists.notesOn(db, { playerId: 8 }),
  },
  '/api/staff/players/contacts': {
    'contacts with a player': (db) => contactsOf(db, { playerId: 8 }),
  },
  '/api/staff/players/codeResets': {
    'code resets, newest first': (db) => codeResetPage(db, {}),
    'code resets, proposed': (db) => codeResetPage(db, { state: 'proposed' }),
    'code resets, ended': (db) => codeResetPage(db, { state: 'ended' }),
    'code resets, of a player': (db) => codeResetPage(db, { playerId: 8 }),
  },
  '/api/staff/players/signs': {
    'early signs, newest first': (db) => signPage(db, {}),
    'early signs, from the middle': (db, rows) => signPage(db, { after: middle(rows / 10) }),
    'early signs, of a rare kind': (db) => signPage(db, { kind: 'limits_raised' }),
    'early signs, of a player': (db) => signPage(db, { playerId: 77 }),
  },
  '/api/staff/players/likenesses': {
    'likenesses, newest first': (db) => likenessPage(db, {}),
    'likenesses, open': (db) => likenessPage(db, { state: 'open' }),
    'likenesses, confirmed': (db) => likenessPage(db, { state: 'confirmed' }),
    'likenesses, of a player': (db) => likenessPage(db, { playerId: 11 }),
  },
  '/api/staff/accounts/frozen': { 'frozen accounts': (db) => frozenPage(db, {}) },
  '/api/staff/audit': {
    'audit log, by pages': (db, rows) => auditList(db, { limit: 25, offset: rows / 2 }),
  },
  '/api/staff/auditRows': {
    'audit log, newest first': (db) => auditRows(db, ZONE, {}),
    'audit log, from the middle': (db, rows) => auditRows(db, ZONE, { after: middle(rows) }),
    'audit log, of a member': (db) => auditRows(db, ZONE, { staff: 'member7' }),
    'audit log, of a member who does little': (db) => auditRows(db, ZONE, { staff: 'member21' }),
    'audit log, of an action': (db) => auditRows(db, ZONE, { what: 'bench.7' }),
    'audit log, of a rare action': (db) => auditRows(db, ZONE, { what: 'bench.rare' }),
    'audit log, of a member and an action': (db) =>
      auditRows(db, ZONE, { staff: 'member7', what: 'bench.7' }),
    'audit log, of a subject': (db) => auditRows(db, ZONE, { subject: 'player:7' }),
    'audit log, of a month long ago': (db) =>
      auditRows(db, ZONE, { fromDay: '2024-06-01', untilDay: '2024-06-30' }),
    'audit log, of a member in a month long ago': (db) =>
      auditRows(db, ZONE, { staff: 'member7', fromDay: '2024-06-01', untilDay: '2024-07-30' }),
  },
  '/api/staff/withdrawals': {
    'withdrawals, the queue': (db) => withdrawals(db, {}),
    'withdrawals, newest first': (db) => withdrawals(db, { sort: 'id', order: 'desc' }),
    'withdrawals, approved': (db) => withdrawals(db, { state: 'approved' }),
    'withdrawals, to be returned': (db) => withdrawals(db, { state: 'returning' }),
    'withdrawals, rejected': (db) => withdrawals(db, { state: 'rejected' }),
    'withdrawals, returned': (db) => withdrawals(db, { state: 'returned' }),
    'withdrawals, returned, by number': (db) =>
      withdrawals(db, { state: 'returned', sort: 'id', order: 'asc' }),
    'withdrawals, of a player': (db) => withdrawals(db, { playerId: 8 }),
  },
  '/api/staff/bankDeposits': {
    'bank deposits, newest first': (db) => bankDepositPage(db, {}),
    'bank deposits, recorded': (db) => bankDepositPage(db, { state: 'recorded' }),
    'bank deposits, refused': (db) => bankDepositPage(db, { state: 'refused' }),
    'bank deposits, of a player': (db) => bankDepositPage(db, { playerId: 8 }),
  },
  '/api/staff/unmatchedTransfers': {
    'unmatched transfers, not settled': (db) => unmatchedPage(db, {}),
    'unmatched transfers, dismissed': (db) => unmatchedPage(db, { state: 'dismissed' }),
    'unmatched transfers, assigned': (db) => unmatchedPage(db, { state: 'assigned' }),
  },
  '/api/staff/chainDifferences': {
    'differences, newest first': (db) => differencePage(db, {}),
    'differences, of a rare kind': (db) => differencePage(db, { kind: 'amount_differs' }),
  },
  '/api/staff/money/heldDeposits': {
    'held deposits, newest first': (db) => heldDepositPage(db, {}),
    'held deposits, of a player': (db) => heldDepositPage(db, { playerId: 8 }),
    'held deposits, that wait': (db) => heldDepositPage(db, { state: 'held' }),
    'held deposits, to be paid back': (db) => heldDepositPage(db, { state: 'returning' }),
    'held deposits, paid back': (db) => heldDepositPage(db, { state: 'returned' }),
  },
  '/api/staff/money/adjustments': {
    'adjustments, newest first': (db) => adjustmentPage(db, {}),
    'adjustments, proposed': (db) => adjustmentPage(db, { state: 'proposed' }),
    'adjustments, of a rare kind': (db) => adjustmentPage(db, { kind: 'debit' }),
    'adjustments, of a player': (db) => adjustmentPage(db, { playerId: 8 }),
  },
  '/api/staff/money/bankBatches': {
    'batches for the bank, newest first': (db) => batchPage(db, {}),
    'batches for the bank, open': (db) => batchPage(db, { state: 'open' }),
  },
  '/api/staff/rounds': {
    'rounds, last first': (db) => timelinePage(db, {}),
    'rounds, of a game': (db) => timelinePage(db, { gameId: 2 }),
    'rounds, that are open': (db) => timelinePage(db, { state: 'open' }),
    'rounds, void': (db) => timelinePage(db, { state: 'voided' }),
    'rounds, void, of a game': (db) => timelinePage(db, { state: 'voided', gameId: 2 }),
    'rounds, of the first day': (db) => timelinePage(db, { day: '2024-01-01' }),
  },
  '/api/staff/roomChanges': {
    'changes of rooms, latest first': (db) => changeRows(db, {}),
    'changes of rooms, refused': (db) => changeRows(db, { state: 'refused' }),
    'changes of rooms, of a room': (db) => changeRows(db, { roomId: 11 }),
  },
  '/api/staff/content/pieces': {
    'articles, newest first': (db) => pieceRows(db, { kind: 'article' }),
    'articles, not published': (db) => pieceRows(db, { kind: 'article', state: 'draft' }),
    'articles, of a word': (db) => pieceRows(db, { kind: 'article', q: 'seldom' }),
    'notices to all': (db) => pieceRows(db, { kind: 'announcement' }),
  },
  '/api/staff/reports': {
    'report by day, a year': (db) => reportPage(db, year('day'), {}),
    'report by room, a year': (db) => reportPage(db, year('room'), {}),
    'report by player, one day': (db) =>
      reportPage(db, days('player', '2024-01-01', '2024-01-01'), { sort: 'turnover' }),
    'report by day, of a player': (db) => reportPage(db, { ...year('day'), playerId: 6 }, {}),
  },
}

/** What is no list, and is read as often. */
export const OTHERS: Record<string, Read> = {
  'what needs a person now': async (db) => ({ list: await readNeeds(db) }),
}
