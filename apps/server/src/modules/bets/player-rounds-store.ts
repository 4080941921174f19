/** The SQL of a player's own data in a heartbeat: his balance, his stakes in the room, his wins. */
import type { Amount } from '@sum28/domain/money.ts'
import type { Queryable } from '#src/db/database.ts'
import type { Balance } from '#src/wire-form.ts'

export type RoomOfPlayer = {
  playerId: number
  gameId: number
  roomId: number
  /** The round that is shown; null if there is none. */
  issue: string | null
}

export type RoomMoney = Pick<Balance, 'cash' | 'version'> & {
  /** What he has staked in the room in the round, without refunded stakes. */
  bought: Amount
}

/**
 * Balances and stakes of many players in their rooms, in the order of the request.
 *
 * @param known the version of each balance whose stakes in the room and round the caller knows; else null. While it is
 * that version they are not added up again, and null: each stake and each refund is a posting of the player
 * @throws if a player has no wallet
 */
export async function moneyInRooms(
  db: Queryable,
  rooms: readonly RoomOfPlayer[],
  known: readonly (RoomMoney['version'] | null)[] = rooms.map(() => null),
): Promise<(Omit<RoomMoney, 'bought'> & { bought: Amount | null })[]> {
  const rows = await db.query<{
    cash: Amount | null
    version: RoomMoney['version']
    bought: Amount | null
  }>(
    `select cash, last_posting as version,
       case when asked.known is distinct from last_posting or asked.known is null
         then coalesce(stakes.sum, 0)::bigint end as bought
     from unnest($1::integer[], $2::smallint[], $3::integer[], $4::bigint[], $5::bigint[]) with ordinality
       as asked (player_id, game_id, room_id, issue, known, position)
     left join ledger.balance on balance.holder_id = asked.player_id
     left join rounds.round on round.game_id = asked.game_id and round.issue = asked.issue
     left join lateral (
       -- The room is no condition of the search: a plan from when there were no bets would read all bets of the room.
       select sum(total) filter (where bet.room_id = asked.room_id and bet.status <> 'refunded') from bets.bet
       where bet.game_id = round.game_id and bet.issue = round.issue and bet.player_id = asked.player_id
         and bet.booked_on = round.game_day
         and (asked.known is distinct from last_posting or asked.known is null)
     ) stakes on true
     order by position`,
    [
      rooms.map(({ playerId }) => playerId),
      rooms.map(({ gameId }) => gameId),
      rooms.map(({ roomId }) => roomId),
      rooms.map(({ issue }) => issue),
      known,
    ],
    { prepared: true },
  )
  const without = rows.findIndex(({ cash }) => cash === null)
  if (without >= 0) throw new Error(`player ${rooms[without]?.playerId} has no wallet`)
  return rows as (Omit<RoomMoney, 'bought'> & { bought: Amount | null })[]
}

export type RoundOfPlayer = { playerId: number; gameId: number; issue: string }

export type Hit = {
  betId: bigint
  playerId: number
  username: string
  issue: string
  /** Payout minus stake of the bet. */
  profit: Amount
  /** The same for all the player's bets in the round. */
  roundProfit: Amount
}

export type RoundHits = {
  /** Whether the round is settled, so that these wins never change. */
  final: boolean
  hits: Hit[]
}

/**
 * Players' winning bets of drawn rounds of the last two days, in the order of the request. Of each round all of them,
 * or none until all of the player's bets in it are settled. Each comes with the player's total for the round, because a
 * win in a round that cost more than it paid must not be celebrated (UKGC RTS 14F).
 */
export async function hitsOf(
  db: Queryable,
  rounds: readonly RoundOfPlayer[],
): Promise<RoundHits[]> {
  // Nearly all have no bet in the round: they are left as they are here.
  const answers = rounds.map((): RoundHits => ({ final: true, hits: [] }))
  const rows = await db.query<{ position: number; final: boolean; betId: bigint | null } & Hit>(
    `select position::integer, settled_at is not null as final, hit.id as "betId", asked.player_id as "playerId",
       username, asked.issue::text, profit, round_profit as "roundProfit"
     from unnest($1::integer[], $2::smallint[], $3::bigint[]) with ordinality
       as asked (player_id, game_id, issue, position)
     join rounds.round on round.game_id = asked.game_id and round.issue = asked.issue
     -- The limit makes PostgreSQL look for each by the index.
     cross join lateral (
       select from bets.bet
       where bet.game_id = round.game_id and bet.issue = round.issue and bet.player_id = asked.player_id
         and bet.booked_on = round.game_day
       limit 1
     ) placed
     join accounts.player on player.id = asked.player_id
     left join lateral (
       select id, profit, round_profit from (
         select id, status, payout - total as profit, (sum(payout - total) over ())::bigint as round_profit,
           bool_and(status in ('won', 'lost')) over () as settled
         from bets.bet
         where bet.game_id = round.game_id and bet.issue = round.issue and bet.player_id = asked.player_id
           and bet.booked_on = round.game_day and status <> 'refunded'
       ) of_player
       where settled and status = 'won'
     ) hit on true
     order by position, hit.id`,
    [
      rounds.map(({ playerId }) => playerId),
      rounds.map(({ gameId }) => gameId),
      rounds.map(({ issue }) => issue),
    ],
    { prepared: true },
  )
  for (const { position, final, ...hit } of rows) {
    const answer = answers[position - 1]
    if (!answer) continue
    answer.final = final
    if (hit.betId !== null) answer.hits.push(hit)
  }
  return answers
}
