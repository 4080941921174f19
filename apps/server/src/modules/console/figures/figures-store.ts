/** The day's figures, from rounds that are counted once each. */
import { callFunction, type Queryable } from '#src/db/database.ts'

/** Rounds of a game in one transaction: this limits how many bets are read before the count is stored. */
const AT_ONCE = 25

/**
 * Counts all uncounted rounds, the oldest first, until none is left or the signal stops it; after an update of the
 * product these can be all rounds ever played. If another process counts at the same time, it stops, and its job runs
 * again.
 */
export async function countAllRounds(db: Queryable, signal?: AbortSignal): Promise<void> {
  let done = 1
  while (!signal?.aborted && done > 0) {
    done = await callFunction<number>(db, 'console_start.count_rounds', AT_ONCE)
  }
}

export type Figures = {
  turnover: bigint
  payouts: bigint
  /** Micro-units, rounded. */
  expected: bigint
  deviation: bigint
  bets: number
}

const SUMS = `coalesce(sum(staked), 0)::bigint as turnover, coalesce(sum(paid), 0)::bigint as payouts,
  round(coalesce(sum(expected), 0))::bigint as expected,
  round(sqrt(coalesce(sum(variance), 0)))::bigint as deviation, coalesce(sum(bets), 0)::integer as bets`

export function figuresOfDay(
  db: Queryable,
  { day, until }: { day: string; until: Date },
): Promise<Figures> {
  return db.one<Figures>(
    `select ${SUMS} from console_start.round_figure
       where game_day = $1 and room_id = 0 and not robots and ended_at < $2`,
    [day, until],
  )
}

/** For a game day: the players, and the robots' stakes; for its calendar day: deposits and withdrawals. */
export function othersOfDay(
  db: Queryable,
  { day, from, until }: { day: string; from: Date; until: Date },
) {
  return db.one<{ players: number; robots: bigint; deposits: bigint; withdrawals: bigint }>(
    `select
         (select count(distinct player_id)::integer from console_start.player_figure
          where game_day = $1 and not robots) as players,
         (select coalesce(sum(staked), 0)::bigint from console_start.day_figure
          where game_day = $1 and room_id = 0 and robots) as robots,
         moved.*
       from (select coalesce(sum(deposited), 0)::bigint as deposits,
           coalesce(sum(withdrawn), 0)::bigint as withdrawals
         from console_start.money_moved where posted_at >= $2 and posted_at < $3) moved`,
    [day, from, until],
  )
}

/** For the rounds that ended in each hour of a day, or at its end, from the day's beginning; hours without rounds are left out. */
export function hoursOfDay(
  db: Queryable,
  { day, from }: { day: string; from: Date },
): Promise<(Figures & { hour: number })[]> {
  return db.query(
    `select ceil(extract(epoch from ended_at - $2) / 3600)::integer - 1 as hour, ${SUMS}
     from console_start.round_figure
     where game_day = $1 and room_id = 0 and not robots and staked > 0
     group by 1 order by 1`,
    [day, from],
  )
}

export type RoomFigures = Figures & {
  game: string
  room: string
  roomId: number
}

/** All rooms, also those without a bet. */
export async function roomsOfDay(
  db: Queryable,
  { day, until }: { day: string; until: Date },
): Promise<RoomFigures[]> {
  return db.query(
    `select game.name as game, room.title as room, room.id as "roomId", figure.*
     from games.room
     join games.game on game.id = room.game_id
     cross join lateral (select ${SUMS} from console_start.round_figure
       where game_day = $1 and room_id = room.id and not robots and ended_at < $2) figure
     order by game.id, room.type, room.id`,
    [day, until],
  )
}
