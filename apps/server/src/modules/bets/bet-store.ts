/** The bets module's SQL: placing, settling, refunding, and reading them back. */
import type { Amount } from '@sum28/domain/money.ts'
import type { OddsMilli } from '@sum28/domain/odds.ts'
import { type Database, only, type Queryable } from '#src/db/database.ts'
import { readPage } from '#src/db/list.ts'
import { readSnapshot } from '#src/db/read-snapshot.ts'
import type { RefusalWord } from '#src/refusal/refusal.ts'

export type OrderRow = {
  /** The order's position in its batch, from 0. */
  ord: number
  player_id: number
  /** The client's idempotency key. Without one the order is known by its nonce. */
  key: string | null
  game_id: number
  issue: string
  room_id: number
  rule_ids: number[]
  /** On each rule, micro-units; as text, because JSON numbers are not exact at that size. */
  stake: string
  follow_id: number | null
  /** 16 bytes in hex. */
  nonce: string
  /** The version of the odds that the player was shown; null if the request does not say. */
  rules_version?: number | null
}

export type PlacedRow = {
  ord: number
  total: Amount
  acceptedAt: number
  username: string
  robot: boolean
} & (
  | {
      /** 'replay' if the same order made the bet before. */
      reason: null | 'replay'
      facts: null
      betId: bigint
      orderNo: string
      cashAfter: Amount
      postingId: bigint
    }
  | {
      reason: RefusalWord
      /** The amounts that explain the reason, in micro-units as text, by their wire names. */
      facts: Record<string, string> | null
      betId: null
      orderNo: null
      cashAfter: null
      postingId: null
    }
)

const PLACE = `select ord, reason, facts, bet_id as "betId", order_no as "orderNo", total,
  cash_after as "cashAfter", posting_id as "postingId", accepted_at as "acceptedAt", username, robot
  from bets.place($1::jsonb)`

/** Places a batch in one statement and one commit; at most one order of a player in a batch. */
export function placeOrders(db: Queryable, batch: readonly OrderRow[]): Promise<PlacedRow[]> {
  return db.query<PlacedRow>(PLACE, [JSON.stringify(batch)], { prepared: true })
}

/** The same through a separate connection, for a batch that got no answer on another one. */
export function placeOrdersAfresh(db: Database, batch: readonly OrderRow[]): Promise<PlacedRow[]> {
  return db.queryAfresh<PlacedRow>(PLACE, [JSON.stringify(batch)])
}

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

/** Totals of a player's bets, in all rooms or in one. */
export async function totalsOf(
  db: Queryable,
  range: HistoryRange & { roomId?: number },
): Promise<HistoryTotals> {
  return only(
    await db.query<HistoryTotals>(
      `select count(*) as count, coalesce(sum(total), 0)::bigint as staked,
         coalesce(sum(payout), 0)::bigint as payout,
         coalesce(sum(total) filter (where status = 'accepted'), 0)::bigint as pending,
         coalesce(sum(total) filter (where status = 'refunded'), 0)::bigint as refunded
       from bets.bet where ${IN_RANGE} and ($5::integer is null or room_id = $5)`,
      [...rangeValues(range), range.roomId ?? null],
      { prepared: true },
    ),
  )
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
