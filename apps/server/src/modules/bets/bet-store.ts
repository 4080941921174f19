/** The bets module's SQL by which bets are read. */
import type { Amount } from '@sum28/domain/money.ts'
import type { OddsMilli } from '@sum28/domain/odds.ts'
import { type Database, only, type Queryable } from '#src/db/database.ts'
import { readPage } from '#src/db/list.ts'
import { readSnapshot } from '#src/db/read-snapshot.ts'

export type BetStatus = 'accepted' | 'won' | 'lost' | 'refunded'

export type Bet = {
  id: bigint
  playerId: number
  username: string
  robot: boolean
  orderNo: string
  gameId: number
  issue: string
  roomId: number
  ruleIds: number[]
  stake: Amount
  total: Amount
  cashAfter: Amount
  /** The posting that took the stake. */
  postingId: bigint
  acceptedAt: number
  status: BetStatus
  payout: Amount
}

const BET = `bet.id, player_id as "playerId", username, not accounts.is_person(player) as robot, order_no as "orderNo",
  bet.game_id as "gameId", bet.issue::text, room_id as "roomId", rule_ids as "ruleIds", stake, bet.total,
  cash_after as "cashAfter", posting_id as "postingId", accepted_at as "acceptedAt", status, payout`
const FROM = `bets.bet join accounts.player on player.id = player_id`

/** The entries of a room after a given one, oldest first; without one, the latest. */
export function feedOfRoom(
  db: Queryable,
  { roomId, after, limit }: { roomId: number; after: number | null; limit: number },
): Promise<Bet[]> {
  return db.query<Bet>(
    `select * from (
       select ${BET} from ${FROM}
       where room_id = $1 and bet.id > $2
       order by bet.id desc limit $3
     ) latest order by id`,
    [roomId, after ?? 0, limit],
    { prepared: true },
  )
}

export type HistoryBet = Bet & {
  gameName: string
  roomTitle: string
  digits: number[] | null
  sum: number | null
  /** Whether a witness saw its round's book in time; null before the round has one. */
  witnessed: boolean | null
}

/** A bet with its room and draw; `FROM_HISTORY` follows a `bet` that is a subquery of bets. */
export const HISTORY = `${BET}, game.name as "gameName", room.title as "roomTitle", draw.total as sum,
  case when draw.issue is not null then array[digit_1, digit_2, digit_3] end as digits,
  (select rounds.was_witnessed(round) from rounds.round
    where round.game_id = bet.game_id and round.issue = bet.issue) as witnessed`
export const FROM_HISTORY = `join accounts.player on player.id = player_id
  join games.game on game.id = bet.game_id
  join games.room on room.id = room_id
  left join rounds.draw on draw.game_id = bet.game_id and draw.issue = bet.issue`

/** A selection of a player's bets: accepted within a period, in some states. */
export type HistoryRange = {
  playerId: number
  from: number
  until: number
  statuses: readonly BetStatus[]
}

// The day column only narrows down the partitions to read; a bet's instant decides.
const IN_RANGE = `player_id = $1 and accepted_at >= $2 and accepted_at < $3 and status = any ($4)
    and booked_on >= ($2::timestamptz - interval '2 days')::date
    and booked_on <= ($3::timestamptz + interval '2 days')::date`

function rangeValues({ playerId, from, until, statuses }: HistoryRange): unknown[] {
  return [playerId, new Date(from), new Date(until), statuses]
}

const IN_RANGE_COUNT = `select count(*) as "allRows" from bets.bet where ${IN_RANGE}`

/** A player's bets, newest first, with the draws of their rounds; and their total number. */
export async function historyOf(
  db: Queryable,
  { limit, offset, ...range }: HistoryRange & { limit: number; offset: number },
): Promise<{ bets: HistoryBet[]; total: number }> {
  const statements = {
    page: `select ${HISTORY}, (${IN_RANGE_COUNT}) as "allRows"
     from (select * from bets.bet where ${IN_RANGE} order by id desc limit $5 offset $6) bet
       ${FROM_HISTORY}
     order by bet.id desc`,
    count: IN_RANGE_COUNT,
  }
  const values = rangeValues(range)
  const { rows, total } = await readPage<HistoryBet>(db, statements, { values, limit, offset })
  return { bets: rows, total }
}

export type HistoryTotals = {
  count: bigint
  staked: Amount
  payout: Amount
  /** Total stakes of pending bets, and of refunded ones. */
  pending: Amount
  refunded: Amount
}

const TOTALS = `select count(*) as count, coalesce(sum(total), 0)::bigint as staked,
    coalesce(sum(payout), 0)::bigint as payout,
    coalesce(sum(total) filter (where status = 'accepted'), 0)::bigint as pending,
    coalesce(sum(total) filter (where status = 'refunded'), 0)::bigint as refunded
  from bets.bet`

/** Totals of a player's bets. */
export async function totalsOf(db: Queryable, range: HistoryRange): Promise<HistoryTotals> {
  const text = `${TOTALS} where ${IN_RANGE}`
  return only(await db.query<HistoryTotals>(text, rangeValues(range), { prepared: true }))
}

/** Totals of a player's bets in one room, in the rounds of a game day that were not voided. */
export async function totalsInRoom(
  db: Queryable,
  { playerId, roomId, day }: { playerId: number; roomId: number; day: string },
): Promise<HistoryTotals> {
  const text = `${TOTALS} where player_id = $1 and room_id = $2 and booked_on = $3 and status <> 'refunded'`
  return only(await db.query<HistoryTotals>(text, [playerId, roomId, day], { prepared: true }))
}

export type ExportedBet = HistoryBet & {
  oddsMilli: OddsMilli[]
  settledAt: number | null
}

/** All bets of a player in a range, oldest first, from one snapshot; in chunks. */
export function wholeHistory(
  db: Database,
  range: HistoryRange,
  { batch, limitMs }: { batch: number; limitMs: number },
): AsyncGenerator<ExportedBet[]> {
  return readSnapshot<ExportedBet>(db, {
    text: `select ${HISTORY}, odds_milli as "oddsMilli", settled_at as "settledAt"
     from (select * from bets.bet where ${IN_RANGE}) bet
       ${FROM_HISTORY}
     order by bet.id`,
    values: rangeValues(range),
    batch,
    limitMs,
  })
}

/** Payouts minus stakes of settled bets: of two calendar days and of all. */
export async function profitsOf(
  db: Queryable,
  playerIds: readonly number[],
  { today, yesterday }: { today: string; yesterday: string },
): Promise<Map<number, { today: Amount; yesterday: Amount; all: Amount }>> {
  const rows = await db.query<{ playerId: number; today: Amount; yesterday: Amount; all: Amount }>(
    `select player_id as "playerId", sum(paid - staked)::bigint as "all",
       coalesce(sum(paid - staked) filter (where day = $2), 0)::bigint as today,
       coalesce(sum(paid - staked) filter (where day = $3), 0)::bigint as yesterday
     from bets.player_day where player_id = any ($1::integer[]) group by player_id`,
    [playerIds, today, yesterday],
  )
  return new Map(rows.map(({ playerId, ...profits }) => [playerId, profits]))
}

export type Winner = { username: string; gameName: string; profit: Amount; settledAt: number }

/**
 * Wins of players, not robots, in the last 24 hours with a payout above the stake, largest first.
 *
 * @param limit at most 50: so many are kept of each settlement
 */
export function winnersOfLastDay(db: Queryable, limit: number): Promise<Winner[]> {
  return db.query<Winner>(
    // The instant is read once: compared with a volatile function call, no index could be used.
    `select username, game.name as "gameName", profit, settled_at as "settledAt"
     from bets.winner join accounts.player on player.id = player_id join games.game on game.id = game_id
     where settled_at > (select app.now() - interval '24 hours')
     order by profit desc, settled_at desc, bet_id desc limit $1`,
    [limit],
  )
}
