/**
 * The present games and their rooms. A stop or a new limit holds from the next request on (GLI-19 2.4.1), so an
 * answer is never older than its request.
 */
import type { Amount } from '@sum28/domain/money.ts'
import type { OddsMilli } from '@sum28/domain/odds.ts'
import type { Outcome, RuleId } from '@sum28/domain/outcomes.ts'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { readOneByOne } from '#src/db/shared-reads.ts'

export const GAME_IDS = [1, 2, 3, 4]

/** A planned stop of betting that is not over; times in milliseconds since 1970. */
export type PlannedStop = {
  id: number
  scope: 'all' | 'game' | 'room'
  /** A game's or a room's id; 0 for all. */
  subjectId: number
  beginsAt: number
  endsAt: number
  told: string
  /** The name of a member of staff. */
  plannedBy: string
  begun: boolean
}

export type Catalog = {
  readonly planned: readonly PlannedStop[]
  readonly games: readonly Game[]
  readonly rooms: readonly Room[]
}

/**
 * Makes the function that reads the catalog. Calls during a read share the next one: only one read runs at a time,
 * however many callers there are.
 */
export function catalogReader(db: Queryable): () => Promise<Catalog> {
  return readOneByOne(async () => {
    const [games, rooms, planned] = await Promise.all([
      db.query<Game>(
        `select id, name, game.stopped,
           house.stopped or games.clocks_apart(house) as "houseStopped",
           (house.changes + game.changes
             + (select sum(room.changes) from games.room where game_id = game.id))::float8 as changes
         from games.game, games.house order by id`,
        [],
        { prepared: true },
      ),
      db.query<Room>(
        `select id, game_id as "gameId", title, type, stake_min as "stakeMin", stake_max as "stakeMax",
           entry_min as "entryMin", robots, stopped
         from games.room order by game_id, type, id`,
        [],
        { prepared: true },
      ),
      plannedStops(db),
    ])
    return { games, rooms, planned }
  })
}

/** The wire's status of a game or of a room in it: 1 runs, 0 closed, 2 stopped, 3 all stopped. */
export function gameStatus(
  game: Game,
  { room, open }: { room?: Room | undefined; open: boolean },
): 0 | 1 | 2 | 3 {
  if (game.houseStopped) return 3
  if (game.stopped || room?.stopped) return 2
  return open ? 1 : 0
}

export type Game = {
  id: number
  name: string
  stopped: boolean
  houseStopped: boolean
  /** The changes of the game, of its rooms, and of what holds for all games. */
  changes: number
}

export type Room = {
  id: number
  gameId: number
  title: string
  /** 0 basic, 1 senior, 2 master, 3 expert. */
  type: number
  stakeMin: Amount
  stakeMax: Amount
  entryMin: Amount
  robots: number
  stopped: boolean
}

export type Offer = { ruleId: RuleId; outcome: Outcome; ways: number; oddsMilli: OddsMilli }

export function isGame(db: Queryable, id: number): Promise<boolean> {
  return db.exists('select from games.game where id = $1::integer', [id])
}

export function plannedStops(db: Queryable): Promise<PlannedStop[]> {
  return db.query<PlannedStop>(
    `select planned_stop.id, scope, subject_id as "subjectId", begins_at as "beginsAt", ends_at as "endsAt", told,
       member.name as "plannedBy", state = 'begun' as begun
     from games.planned_stop join staff.member on member.id = planned_by where state <> 'over' order by begins_at, planned_stop.id`,
    [],
    { prepared: true },
  )
}

/** Begins and ends the planned stops that are due. Returns the games in which something was stopped or opened. */
export function keepPlannedStops(db: Queryable): Promise<number[]> {
  return db.column('select distinct id from games.keep_planned_stops() kept (id)')
}

/** A room's odds in the order of the rules: named outcomes, then sums. Each row has the version of the whole set. */
export function oddsOfRoom(
  db: Queryable,
  roomId: number,
): Promise<(Offer & { rulesVersion: number })[]> {
  return db.query(
    `select rule.id as "ruleId", outcome, ways, odds_milli as "oddsMilli", rules_version as "rulesVersion"
     from games.odds join games.rule on rule.id = rule_id join games.room on room.id = room_id
     where room_id = $1 order by rule.id`,
    [roomId],
  )
}

/** Whether betting is stopped because the database's clock and the beacon's disagree, or were not compared. */
export function areClocksApart(db: Queryable): Promise<boolean> {
  return db.exists('select from games.house where games.clocks_apart(house)')
}

/**
 * Stops all betting because the database's clock and the beacon's disagree, or opens it again, independently of stops
 * by staff. Waits for bets that are in progress.
 *
 * @param comparison `seen`: the newest verified value of a beacon, null if none was seen now; `began`: by
 *   {@link comparisonBegins}
 * @returns whether this changed anything
 */
export function setClocksApart(
  db: Queryable,
  apart: boolean | null,
  { seen = null, began }: { seen?: { round: number; chainHash: string } | null; began: string },
): Promise<boolean> {
  return callFunction(
    db,
    'games.set_clocks_apart',
    ...[apart, seen?.round ?? null, seen?.chainHash ?? null, began],
  )
}

/** When a comparison of the clocks begins, to the microsecond, by the clock of the database's machine. */
export function comparisonBegins(db: Queryable): Promise<string> {
  return db.value('select clock_timestamp()::text')
}
