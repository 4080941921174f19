/**
 * Goal: a page of a list reads little more than the page itself, even if few of many rows match. Method: tables of
 * twelve thousand rows, of which few match. Each statement of a page is run with EXPLAIN ANALYZE, and no step of it
 * may have read more than a few hundred rows of a table.
 */

import type { Need } from '@sum28/contract/staff-start-routes.ts'
import { beforeAll, expect, it } from 'vitest'
import type { Database, Queryable } from '#src/db/database.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { activityPage, reportPage } from '#src/modules/console/figures/report-store.ts'
import { likenessPage } from '#src/modules/console/players/likeness-store.ts'
import {
  actionsOn,
  betsOfAll,
  depositsOf,
  depositsOfAll,
} from '#src/modules/console/players/player-lists.ts'
import { playersPage } from '#src/modules/console/players/players-store.ts'
import { protectionPage, signPage } from '#src/modules/console/players/signs-store.ts'
import { differencePage } from '#src/modules/deposits/compare-with-chain.ts'
import { unmatchedPage, unmatchedTransfer } from '#src/modules/deposits/unmatched-transfer.ts'
import { closeIdleVisitors } from '#src/modules/own-account/close-account.ts'
import { unmarkedPlayers } from '#src/modules/protection/likeness.ts'
import { auditRows } from '#src/modules/staff/audit.ts'
import { frozenPage } from '#src/modules/staff/freeze-account.ts'
import { proposalPage } from '#src/modules/staff/proposal.ts'
import { withdrawalPage } from '#src/modules/withdrawals/withdrawal-store.ts'
import { readBy } from '#testing/database/table-reads.ts'
import { cloneUnusedDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { batchPage } from './bank-batch-store.ts'
import { heldDepositPage } from './refund-deposit.ts'

/** More than a page of 25, its next row, and what a player of the test has; far fewer than a table. */
const ROWS_MAX = 300

const ZONE = 'UTC'

/** Each of 12,000 rows, an hour after the previous one: the rare ones are the first or second of each 400. */
const EACH = `from generate_series(1, 12000) n
  cross join lateral (select timestamptz '2024-01-01' + n * interval '1 hour' as at) clock`

const TABLES = [
  `insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id)
   select 'member' || n, case n when 2 then 'owner' else 'support' end, 'none', 'none', 'test' from generate_series(1, 3) n`,
  `insert into accounts.player (id, username, email, email_key, group_id, state, created_at) overriding system value
   select n, 'name' || n, 'name' || n || '@example.org', 'name' || n || '@example.org', case n % 400 when 0 then 2 else 1 end,
     case n % 400 when 0 then 'frozen' else 'active' end, at ${EACH}`,
  `insert into protection.player (player_id, marked_with)
   select n, case n % 400 when 0 then 'earlier' when 1 then 'later' when 2 then null else 'key' end ${EACH}`,
  `insert into ledger.balance (holder_id, cash) select n, 0 ${EACH}`,
  `insert into accounts.freezing (player_id, reason, frozen_by, frozen_at) select n, 'test', 1, at ${EACH} where n % 400 = 0`,
  `insert into staff.audit (id, at, staff_id, action, subject, details, previous_hash, hash)
   select n, at, case when n <= 10 then 3 else 1 + n % 2 end, 'act.' || n / 2 % 100, 'player:' || n % 100, '{}',
     sha256('before'), sha256('after') ${EACH}`,
  `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
   select n, 'wallet', 'none', 'T' || n, 'test', 'TRC20' ${EACH}`,
  `insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, state, requested_at,
     approved_by, decided_at, reversed_by, reversed_at)
   select 1 + n % 100, n, 1, 1, at, 0, case n % 400 when 0 then 'reversed' else 'approved' end, at, 1, at,
     case n % 400 when 0 then 2 end, case n % 400 when 0 then at end ${EACH}`,
  `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount, player_id, credited_at)
   select 'tx' || n, 0, n, at, 'from', 'to', case n % 400 when 0 then 50000000000 when 1 then 1 else 10 end, 1 + n % 4, at ${EACH}`,
  `insert into staff.proposal (kind, subject, player_id, content, proposed_by, proposed_at, state, confirmed_by, confirmed_at)
   select 'bank_deposit', 'player:' || 1 + n % 4, 1 + n % 4,
     jsonb_build_object('amount', case n % 400 when 0 then 50000000000 when 1 then 1 else 10 end, 'reference', 'B' || n), 1, at, 'confirmed', 2, at ${EACH}`,
  `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
   select 'unmatched' || n, 0, n, at, 'from', 'to', 1 ${EACH} where n % 400 = 0`,
  `insert into staff.proposal (kind, subject, player_id, content, reason, proposed_by, proposed_at, state, confirmed_by,
     confirmed_at)
   select 'assignment', 'transfer:tx' || n || ':0', 7000, '{}', 'test', 1, at, 'confirmed', 2, at ${EACH} where n % 50 = 2`,
  `update deposits.transfer set assignment = proposal.id from staff.proposal
   where kind = 'assignment' and subject = 'transfer:' || tx_id || ':0'`,
  `insert into console_money.bank_batch (kind, state, made_by, made_at, ended_by, ended_at)
   select 'bank', case n % 400 when 0 then 'open' else 'done' end, 1, at, case when n % 400 > 0 then 2 end,
     case when n % 400 > 0 then at end ${EACH}`,
  `insert into console_players.sign (player_id, kind, since_day, until_day, facts)
   select n, case n % 400 when 0 then 'nights' else 'chasing_losses' end, at, at, '[]' ${EACH}`,
  `insert into deposits.chain_difference (found_at, kind, tx_id, log_index, details)
   select at, case n % 400 when 0 then 'amount_differs' else 'unmatched' end, 'tx' || n, 0, '{}' ${EACH}`,
  `insert into protection.held_deposit (player_id, amount, reference, because, held_at, state)
   select 1 + n % 100, 1, 'usdt:held' || n, 'limit', at, 'held' ${EACH}`,
  `insert into staff.proposal (kind, subject, player_id, content, reason, proposed_by, proposed_at)
   select 'refund', 'held_deposit:' || n, 1 + n % 100, '{}'::jsonb, 'test', 3, at ${EACH} where n % 400 = 0
   union all
   select 'reversal', 'withdrawal:' || n, 1 + n % 100, '{}'::jsonb, 'test', 1, at ${EACH} where n % 400 = 1`,
  `insert into protection.exclusion (player_id, kind, began_at, ends_at, like_player, like_in, decided_by, decided_at,
     decision, decide_reason)
   select n, case when alike then 'likeness' else 'time_out' end, at, case when not alike then at + interval '1 day' end,
     case when alike then 1 + n / 8 % 100 end, case when alike then 'device' end, case when decided then 1 end,
     case when decided then at end, case when decided then 'confirmed' end, case when decided then 'seen' end
   ${EACH} cross join lateral (select n % 8 = 0 as alike, n % 400 = 0 as decided) parts`,
  `insert into protection.exclusion (player_id, kind, began_at, ends_at, end_requested_at)
   select n, 'self_exclusion', at, at + interval '1 year', case when n % 800 = 0 then at + interval '2 years' end
   ${EACH} where n % 400 = 0`,
  `insert into protection.change (player_id, at, what, details)
   select n, at, 'limit_lowered', '{"kind": "stake", "period": "day", "after": "1"}' ${EACH} where n % 4 = 0`,
  `insert into console_players.contact (player_id, day, channel, text, written_by, written_at)
   select n, at, 'phone', 'x', 1, at ${EACH} where n % 4 = 0`,
  `insert into staff.proposal (player_id, subject, kind, content, reason, state, proposed_by, proposed_at, confirmed_by,
     confirmed_at)
   select n, 'player:' || n, case n % 400 when 0 then 'debit' else 'bonus' end, '{"amount": 1}', 'test', 'confirmed', 1,
     at, 2, at ${EACH}`,
  `insert into deposits.spare_address (account, derivation_index, address) values ('test', 1, 'to')`,
  // All in one network; the first player was there long ago.
  `insert into accounts.known_network (player_id, network_hash, last_at)
   select n, 'shared', app.now() - case n when 1 then interval '40 days' else interval '1 day' end ${EACH}`,
  `insert into app.sent_mail (mail_id, sent_at, given_up) select 'mail' || n, at, n % 400 = 0 ${EACH}`,
  'update public_log.name set asks_witnesses = true',
  // Rounds of another game, without bets.
  `insert into rounds.round (game_id, issue, game_day, number, opens_at, seals_at, draws_at, voids_at, chain_id,
     chain_index, beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_genesis, beacon_period,
     beacon_round, state, settled_at, voided_at, void_reason)
   select 2, 20240101000 + n, at, 1, at, at + interval '1 minute', at + interval '1 hour', at + interval '2 hours', 2, n,
     'local', '', '', '', 0, 1, extract(epoch from at + interval '1 hour') + 1, 'voided', at, at, 'two_persons' ${EACH}`,
  // Rounds of 100 bets; most are in room 11, of 10 u; a few of 50,000 u.
  `insert into rounds.round (game_id, issue, game_day, number, opens_at, seals_at, draws_at, voids_at, chain_id,
     chain_index, beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_genesis, beacon_period,
     beacon_round)
   select 1, 20240101000 + n / 100, at, 1, at, at + interval '99 hours', at + interval '100 hours',
     at + interval '101 hours', 1, n, 'local', '', '', '', 0, 1, extract(epoch from at + interval '100 hours') + 1 ${EACH} where n % 100 = 0`,
  `insert into bets.bet (player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids, odds_milli,
     rules_version, stake, total, cash_after, posting_id, accepted_at, nonce, status, could_pay, client_key)
   select 1 + n % 100, n, at, 'order ' || n, 1, 20240101000 + n / 100, case n % 400 when 1 then 12 else 11 end, '{1}',
     '{1920}', 1, amount, amount, 0, n, at, '\\x00112233445566778899aabbccddeeff', 'accepted', 0, 'key ' || n
   ${EACH} cross join lateral (select case n % 400 when 2 then 50000000000 else 10000000 end as amount) bet`,
]

/** No condition of the lists of all bets and all deposits. */
const NO_MONEY = { from: null, until: null, amountFrom: null, amountUntil: null }
const NO_BET = { ...NO_MONEY, issue: null }
const BY_NAME = { sort: 'username', order: 'asc' } as const
const BY_NUMBER = { sort: 'id', order: 'asc' } as const
const FEBRUARY = { fromDay: '2024-02-01' }
const FIRST_DAY = { untilDay: '2024-02-01' }
const FIRST_WEEK = { untilDay: '2024-02-07' }
const A_DAY = { from: new Date('2025-03-01'), until: new Date('2025-03-02') }

let database: TestDatabase

beforeAll(async () => {
  database = await cloneUnusedDatabase()
  await database.owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    for (const table of TABLES) await tx.query(table)
  })
  await database.owner.query('analyze')
  return () => database.drop()
})

type Step = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Step[]
}

/** The steps that read many rows of a table, in a step and those below it. */
function largeSteps(step: Step): string[] {
  const each =
    step['Actual Rows'] +
    (step['Rows Removed by Filter'] ?? 0) +
    (step['Rows Removed by Index Recheck'] ?? 0)
  const rows = Math.round(each * step['Actual Loops'])
  const own = step['Relation Name'] && rows > ROWS_MAX ? [`${step['Relation Name']}: ${rows}`] : []
  return [...own, ...(step.Plans ?? []).flatMap(largeSteps)]
}

type Page = { list?: readonly unknown[] }

/** A page, and the plans of its statements. */
async function plansOf(page: (db: Queryable) => Promise<unknown>, db: Queryable = database.db) {
  const plans: Step[] = []
  const { list } = (await page({
    ...db,
    async query(text, values = []) {
      const [row] = await db.query<{ 'QUERY PLAN': { Plan: Step }[] }>(
        `explain (analyze, format json) ${text}`,
        values,
      )
      for (const { Plan } of row?.['QUERY PLAN'] ?? []) plans.push(Plan)
      return db.query(text, values)
    },
  })) as Page
  return { list, plans }
}

/** How many rows a page has, and the tables of which its statements read many. */
async function readsOf(page: (db: Queryable) => Promise<unknown>) {
  const { list, plans } = await plansOf(page)
  return { found: list?.length, large: plans.flatMap(largeSteps) }
}

/** The numbers of rows that a step and those below it sort. */
function sortedRows(step: Step): number[] {
  const below = step.Plans ?? []
  const own = step['Node Type'].endsWith('Sort') ? below.map((each) => each['Actual Rows']) : []
  return [...own, ...below.flatMap(sortedRows)]
}

/** The hour of a row. */
const hour = (row: number) => new Date(Date.UTC(2024, 0, 1) + row * 3_600_000)

const needs = (kind: Need) => async (db: Queryable) => ({ list: await readNeeds(db, [kind]) })

/** It closes none here: all visitors are frozen or closed. */
const closeIdle = async (db: Queryable) => ({
  list: Array.from({ length: await closeIdleVisitors(db as Database) }),
})

const unmarked = async (db: Queryable) => ({
  list: await unmarkedPlayers(db, { keyId: 'key', limit: 200 }),
})

const oneTransfer = async (db: Queryable) => ({
  list: [await unmatchedTransfer(db, { txId: 'tx52', logIndex: 0 })],
})

const ASKED: [string, number, (db: Queryable) => Promise<unknown>][] = [
  ['frozen players', 25, (db) => playersPage(db, ZONE, { state: 'frozen' })],
  ['frozen players by name', 25, (db) => playersPage(db, ZONE, { state: 'frozen', ...BY_NAME })],
  ['closed accounts to which money came back', 0, (db) => playersPage(db, ZONE, { due: 'now' })],
  ['visitors', 25, (db) => playersPage(db, ZONE, { groupId: 2 })],
  ['visitors by name', 25, (db) => playersPage(db, ZONE, { groupId: 2, ...BY_NAME })],
  ['accounts that the present key has not marked', 90, unmarked],
  ['players by a part of three letters', 25, (db) => playersPage(db, ZONE, { q: 'e77' })],
  ['players by address', 2, (db) => playersPage(db, ZONE, { q: '1234@exam', ...BY_NAME })],
  ['players by letters that no name has', 0, (db) => playersPage(db, ZONE, { q: 'xyz' })],
  ['players by two letters', 0, (db) => playersPage(db, ZONE, { q: 'e7' })],
  ['frozen accounts', 25, (db) => frozenPage(db, {})],
  ['the log of who does little', 10, (db) => auditRows(db, ZONE, { staff: 'member3' })],
  ['an action of a member', 25, (db) => auditRows(db, ZONE, { staff: 'member2', what: 'act.7' })],
  ['the log of a day long ago', 24, (db) => auditRows(db, ZONE, { ...FEBRUARY, ...FIRST_DAY })],
  ['the log of a week long ago', 25, (db) => auditRows(db, ZONE, { ...FEBRUARY, ...FIRST_WEEK })],
  ['deposits of a player who has many', 25, (db) => depositsOf(db, { playerId: 2 })],
  ['deposits of all', 25, (db) => depositsOfAll(db, NO_MONEY)],
  ['deposits of a day long ago', 25, (db) => depositsOfAll(db, { ...NO_MONEY, ...A_DAY })],
  ['deposits by bank', 25, (db) => depositsOfAll(db, { ...NO_MONEY, by: 'bank' })],
  ['deposits on the chain', 25, (db) => depositsOfAll(db, { ...NO_MONEY, by: 'chain' })],
  ['large deposits', 25, (db) => depositsOfAll(db, { ...NO_MONEY, amountFrom: 50_000_000_000n })],
  ['small deposits', 25, (db) => depositsOfAll(db, { ...NO_MONEY, ...A_DAY, amountUntil: 10n })],
  ['bets of all', 25, (db) => betsOfAll(db, NO_BET)],
  ['bets of a day long ago', 24, (db) => betsOfAll(db, { ...NO_BET, ...A_DAY })],
  ['bets of a room that has few', 25, (db) => betsOfAll(db, { ...NO_BET, roomId: 12 })],
  ['bets of a game', 25, (db) => betsOfAll(db, { ...NO_BET, gameId: 1 })],
  ['bets of a round', 25, (db) => betsOfAll(db, { ...NO_BET, issue: 20_240_101_050n })],
  ['large bets', 25, (db) => betsOfAll(db, { ...NO_BET, amountFrom: 50_000_000_000n })],
  ['small bets', 24, (db) => betsOfAll(db, { ...NO_BET, ...A_DAY, amountUntil: 10_000_000n })],
  ['what staff did about a player', 25, (db) => actionsOn(db, { playerId: 5 })],
  ['withdrawals', 25, (db) => withdrawalPage(db, {})],
  ['withdrawals to be reversed', 25, (db) => withdrawalPage(db, { state: 'reversing' })],
  ['withdrawals to be paid', 25, (db) => withdrawalPage(db, { state: 'to_pay' })],
  ['withdrawals reversed', 25, (db) => withdrawalPage(db, { state: 'reversed', ...BY_NUMBER })],
  ['withdrawals for a person', 25, (db) => withdrawalPage(db, { staffId: 2, turn: 'you' })],
  ['withdrawals of a kind of payee', 25, (db) => withdrawalPage(db, { kind: 'wallet' })],
  ['withdrawals above an amount', 0, (db) => withdrawalPage(db, { amountFrom: 11_975n })],
  ['withdrawals of an hour', 1, (db) => withdrawalPage(db, { from: hour(400), until: hour(401) })],
  ['proposals that wait for a person', 25, (db) => proposalPage(db, { staffId: 2, turn: 'you' })],
  ['batches', 25, (db) => batchPage(db, {})],
  ['open batches', 25, (db) => batchPage(db, { state: 'open' })],
  ['batches for others', 25, (db) => batchPage(db, { staffId: 2, turn: 'others' })],
  ['unmatched transfers', 25, (db) => unmatchedPage(db, {})],
  ['unmatched transfers for a person', 25, (db) => unmatchedPage(db, { staffId: 2, turn: 'you' })],
  ['unmatched transfers by a transaction', 4, (db) => unmatchedPage(db, { q: 'unmatched4' })],
  ['assigned transfers', 25, (db) => unmatchedPage(db, { state: 'assigned' })],
  ['a transfer', 1, oneTransfer],
  ['the differences that are counted', 25, (db) => differencePage(db, { due: 'now' })],
  ['the held deposits that are counted', 0, (db) => heldDepositPage(db, { due: 'now' })],
  ['signs of a kind', 25, (db) => signPage(db, { kind: 'nights' })],
  ['the register of protection', 25, (db) => protectionPage(db, {})],
  ['self-exclusions', 25, (db) => protectionPage(db, { kind: 'self_exclusion' })],
  ['returns', 15, (db) => protectionPage(db, { kind: 'return' })],
  ['what protects a player', 3, (db) => protectionPage(db, { q: 'name400' })],
  ['withdrawals of a player', 25, (db) => withdrawalPage(db, { playerId: 8 })],
  ['differences of a rare kind', 25, (db) => differencePage(db, { kind: 'amount_differs' })],
  ['held deposits to be refunded', 25, (db) => heldDepositPage(db, { state: 'refunding' })],
  ['likenesses', 25, (db) => likenessPage(db, {})],
  ['likenesses that were confirmed', 25, (db) => likenessPage(db, { state: 'confirmed' })],
  ['likenesses with another player', 16, (db) => likenessPage(db, { playerId: 8 })],
  ['proposals of a rare kind', 25, (db) => proposalPage(db, { kind: 'debit' })],
  ['rare proposals by state', 25, (db) => proposalPage(db, { kind: 'debit', state: 'confirmed' })],
  ['a withdrawal by its number', 1, (db) => withdrawalPage(db, { q: '11999' })],
  ['withdrawals by the name of the player', 25, (db) => withdrawalPage(db, { q: 'name77' })],
  ['proposals by the name of a player', 1, (db) => proposalPage(db, { q: 'name77' })],
  ['proposals by the number of a player', 2, (db) => proposalPage(db, { q: '77' })],
  ['proposals by a reference', 1, (db) => proposalPage(db, { q: 'b 7777' })],
  ['proposals of who makes few', 25, (db) => proposalPage(db, { q: 'member3' })],
  ['proposals by a name that nobody has', 0, (db) => proposalPage(db, { q: 'nobody' })],
  ['proposals about a room', 0, (db) => proposalPage(db, { subject: 'room:11' })],
  ['rounds that no witness saw', 0, needs('log_unwitnessed')],
  ['mails that fail', 1, needs('mail_away')],
  ['proposals about a player', 1, (db) => proposalPage(db, { subject: 'player:7' })],
]

it.each(ASKED)('%s: a page reads few rows of many', async (_name, found, page) => {
  expect(await readsOf(page)).toEqual({ found, large: [] })
})

/** A hundred blocks, and on the chain a transfer that was recorded in another one. */
const COMPARED = `(select count(*)::integer from deposits.compared_transfers(
  '[{"tx_id": "tx7", "log_index": 0, "block": 150, "to_address": "to", "amount": 10}]', 100, 200))`

/** EXPLAIN does not look into functions. */
it.each([
  ['a player by the name', { found: [77] }, "accounts.players_called('Name77')"],
  ['payees by their end', { found: [1234, 11_234] }, "withdrawals.methods_ending('1234')"],
  ['a comparison of blocks with the chain', { found: 101 }, COMPARED],
  ['hints of a player in a crowd', { found: 100 }, "(withdrawals.risks('{101}')).network_players"],
  ['hints of who left a crowd', { found: 0 }, "(withdrawals.risks('{100}')).network_players"],
  ['others of a crowd', { found: 1 }, '(select max(crowded) from protection.linked_with(2, 20))'],
  [
    'others of who left it',
    { found: 0 },
    '(select count(*)::integer from protection.linked_with(1, 20))',
  ],
])('%s: a function reads few rows of many', async (_name, answer, call) => {
  await database.owner.transaction(async (tx) => {
    const asked = async () => expect(await tx.one(`select ${call} as found`)).toEqual(answer)
    const reads = await readBy(tx, asked)
    expect(reads.filter(({ rows, fetches }) => rows + fetches > ROWS_MAX)).toEqual([])
  })
})

it('the report of players reads each day of play and each new player once, for any number of periods', async () => {
  await database.owner.query(
    `insert into bets.player_day select 1 + n % 1000, date '2024-01-01' + n / 50, 1, 0 from generate_series(0, 19999) n`,
  )
  await database.owner.query('analyze bets.player_day')
  const span = { beginDay: '2024-03-01', endDay: '2024-12-31', zone: ZONE }
  const [from, until] = [Date.UTC(2024, 2, 1), Date.UTC(2025, 0, 1)]
  const { found, large } = await readsOf((db) =>
    activityPage(db, { by: 'day', ...span, from, until }, { limit: 100 }),
  )
  expect(found).toBe(100)
  const read = (table: string) =>
    large.flatMap((step) => (step.startsWith(`${table}: `) ? [Number(step.split(': ')[1])] : []))
  expect(read('player_day').length).toBe(1)
  expect(Math.max(...read('player_day'))).toBeLessThanOrEqual(20_000)
  // New players, and the accounts that were closed.
  for (const rows of read('player')) expect(rows).toBeLessThanOrEqual(20_000)
})

it('the report by day sums money by day without sorting its movements', async () => {
  await database.owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(
      `insert into ledger.posting (holder_id, id, booked_on, posted_at, kind, source, destination, amount, cash_after,
         held_after, reference)
       select n, n, at, at, 'deposit', 'house:treasury', 'cash', 1000000, 0, 0, 'test:' || n
       from generate_series(1, 40000) n
       cross join lateral (select timestamptz '2024-01-01' + n * interval '12 minutes' as at) clock`,
    )
  })
  await database.owner.query('analyze ledger.posting')
  const ask = {
    ...({ by: 'day', robots: false, zone: ZONE } as const),
    beginDay: '2024-03-01',
    endDay: '2024-10-31',
    gameId: null,
    roomId: null,
    playerId: null,
    from: Date.UTC(2024, 2, 1),
    until: Date.UTC(2024, 10, 1),
  }
  await database.db.transaction(async (tx) => {
    // Too little for a sum of each movement.
    await tx.query(`set local work_mem = '256kB'`)
    const { list, plans } = await plansOf((db) => reportPage(db, ask, { limit: 2 }), tx)
    const [days, ofDay] = [245, { deposits: 120_000_000n, bets: 0n }]
    expect(list).toMatchObject([
      { day: '2024-10-31', ...ofDay },
      { day: '2024-10-30', ...ofDay },
    ])
    for (const rows of plans.flatMap(sortedRows)) expect(rows).toBeLessThanOrEqual(days)
  })
})

/** Of players, if a text is in more names than are read by an index: these, and a page of the list. */
const FOUND_BY_MANY = 5_001

it('players by letters that every name has are not all read', async () => {
  const { found, large } = await readsOf((db) => playersPage(db, ZONE, { q: 'ame' }))
  expect(found).toBe(25)
  for (const step of large) expect(step).toBe(`player: ${FOUND_BY_MANY}`)
})

it('proposals of who makes many are joined with others for their page alone', async () => {
  const { found, large } = await readsOf((db) => proposalPage(db, { q: 'member1' }))
  expect(found).toBe(25)
  // Their numbers, from which the page is chosen.
  for (const step of large) expect(step).toMatch(/^proposal: /)
})

it('the days of the log hold what was written while the clock was wrong', async () => {
  await database.owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(`insert into staff.audit (id, at, staff_id, action, subject, details, previous_hash, hash)
      select id, at, 1, 'act.wrong', 'player:1', '{}', sha256('before'), sha256('after')
      from (values (0, timestamptz '2024-03-01 12:30Z'), (30000, '2024-03-02 12:30Z'), (30001, '2024-03-01 09:30Z'))
        as wrong (id, at)`)
  })
  const idsOn = async (day: string) => {
    const page = await auditRows(database.db, ZONE, {
      what: 'act.wrong',
      fromDay: day,
      untilDay: day,
    })
    return 'list' in page ? page.list.map(({ id }) => id) : []
  }
  expect(await idsOn('2024-03-01')).toEqual([30_001, 0])
  expect(await idsOn('2024-03-02')).toEqual([30_000])
})

it('visitors who are idle are found among many who were closed', async () => {
  await database.owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(
      `insert into accounts.player (username, group_id, state, closed_at)
       select 'closed' || n, 2, 'closed', at ${EACH}`,
    )
  })
  await database.owner.query('analyze accounts.player')
  expect(await readsOf(closeIdle)).toEqual({ found: 0, large: [] })
})
