/** The rounds module's SQL: the life of a round and its draw. */
import type { ScheduledRound } from '@sum28/domain/schedule.ts'
import type { BeaconInfo } from '@sum28/fairness/beacon.ts'
import { only, type Queryable } from '#src/db/database.ts'

export type RoundState = 'open' | 'sealed' | 'drawn' | 'settled' | 'voided'

export type Round = {
  gameId: number
  issue: string
  gameDay: string
  opensAt: number
  sealsAt: number
  drawsAt: number
  /** Until when to wait for the beacon's value. */
  voidsAt: number
  state: RoundState
  chainId: number
  chainIndex: number
  beaconRound: number
  beaconChainHash: string
  bookRoot: Buffer | null
  settledAt: number | null
  /** The beacon's value, in hex, once it is known: then the round can only be drawn. */
  value: { signature: string; randomness: string } | null
}

const ROUND = `game_id as "gameId", issue::text, game_day as "gameDay", opens_at as "opensAt",
  seals_at as "sealsAt", draws_at as "drawsAt", voids_at as "voidsAt", state, chain_id as "chainId", chain_index as "chainIndex",
  beacon_round::integer as "beaconRound", beacon_chain_hash as "beaconChainHash",
  book_root as "bookRoot", settled_at as "settledAt",
  (select json_build_object('signature', encode(beacon_signature, 'hex'),
      'randomness', encode(randomness, 'hex'))
    from rounds.value where value.game_id = round.game_id and value.issue = round.issue) as value`

/** Rounds of a game that have a next step, oldest first. */
export function unfinishedRounds(db: Queryable, gameId: number): Promise<Round[]> {
  return db.query<Round>(
    `select ${ROUND} from rounds.round where game_id = $1 and settled_at is null order by draws_at`,
    [gameId],
    { prepared: true },
  )
}

/**
 * Since when the seal, the draw or the void of a round is due that is most overdue; null if none is. A draw is due when
 * the beacon's value is known, and a void at the deadline if it is not.
 */
export async function mostOverdueAt(db: Queryable): Promise<number | null> {
  const [row] = await db.query<{ at: number | null }>(
    `select min(due_at) as at from rounds.round
       cross join lateral (select case
         when state = 'open' then seals_at
         when exists (select from rounds.value
           where value.game_id = round.game_id and value.issue = round.issue) then draws_at
         else voids_at end) due (due_at)
     where settled_at is null and state in ('open', 'sealed') and due_at < (select app.now())`,
  )
  return row?.at ?? null
}

/** Whether a round of this issue is missing in one of the games. */
export async function unopened(
  db: Queryable,
  gameIds: readonly number[],
  issue: string,
): Promise<boolean> {
  const opened = await db.query('select from rounds.round where game_id = any($1) and issue = $2', [
    gameIds,
    issue,
  ])
  return opened.length < gameIds.length
}

export async function roundByIssue(
  db: Queryable,
  { gameId, issue }: { gameId: number; issue: string },
): Promise<Round | undefined> {
  const [row] = await db.query<Round>(
    `select ${ROUND} from rounds.round where game_id = $1 and issue = $2`,
    [gameId, issue],
    { prepared: true },
  )
  return row
}

/** What decides a round's draw; announced when it opens. */
export type Announcement = {
  chainId: number
  /** The beacon, and which of its rounds: the first at or after the end. */
  beacon: BeaconInfo & { round: number }
  /** Until when to wait for the beacon's value. */
  voidsAt: number
}

/** Opens a round with the next seed of the chain; false if it exists already. */
export async function openRound(
  db: Queryable,
  gameId: number,
  round: ScheduledRound,
  { chainId, beacon, voidsAt }: Announcement,
): Promise<boolean> {
  const row = only(
    await db.query<{ opened: boolean }>(
      `select rounds.open($1::smallint, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) as opened`,
      [
        gameId,
        round.issue,
        round.gameDay,
        round.number,
        new Date(round.opensAt),
        new Date(round.sealsAt),
        new Date(round.drawsAt),
        chainId,
        beacon.kind,
        beacon.chainHash,
        beacon.publicKey,
        beacon.scheme,
        beacon.genesisTime,
        beacon.period,
        beacon.round,
        new Date(voidsAt),
      ],
    ),
  )
  return row.opened
}

type Named = Pick<Round, 'gameId' | 'issue'>

/**
 * Stores the beacon's value of a round, which the caller has verified; false if it is too early or late, or the round
 * has one.
 */
export function storeValue(
  db: Queryable,
  { gameId, issue }: Named,
  value: Pick<DrawInputs, 'signature' | 'randomness'>,
): Promise<boolean> {
  return done(db, `select rounds.store_value($1::smallint, $2, $3, $4) as done`, [
    gameId,
    issue,
    Buffer.from(value.signature),
    Buffer.from(value.randomness),
  ])
}

export type DrawInputs = {
  seed: Uint8Array
  signature: Uint8Array
  randomness: Uint8Array
  digits: readonly [number, number, number]
}

/**
 * Stores a round's draw; false if it has one, or may not have one.
 * @throws if the stored value is another one than that of the draw
 */
export function storeDraw(
  db: Queryable,
  { gameId, issue }: Named,
  draw: DrawInputs,
): Promise<boolean> {
  return done(db, `select rounds.draw($1::smallint, $2, $3, $4, $5, $6::smallint[]) as done`, [
    gameId,
    issue,
    Buffer.from(draw.seed),
    Buffer.from(draw.signature),
    Buffer.from(draw.randomness),
    draw.digits,
  ])
}

/**
 * Why the engine voids a round.
 * - `beacon_late`: it was sealed, but it could not be drawn by the deadline.
 * - `sealed_late`: it was not sealed when the beacon's value could be known.
 */
export type VoidReason = 'beacon_late' | 'sealed_late'

/** Voids a round; false if the database finds that the reason is not true. */
export function voidRound(
  db: Queryable,
  { gameId, issue }: Named,
  reason: VoidReason,
): Promise<boolean> {
  return done(db, `select rounds.void($1::smallint, $2, $3) as done`, [gameId, issue, reason])
}

/** A voided round with data still to be published. */
export type RoundToPublish = Named &
  Pick<Round, 'chainId' | 'chainIndex' | 'beaconRound' | 'beaconChainHash'> & {
    seedDue: boolean
    valueDue: boolean
  }

/** Voided rounds that have ended and whose seed or beacon value is not published yet, newest first. */
export function roundsToPublish(db: Queryable, gameId: number): Promise<RoundToPublish[]> {
  return db.query<RoundToPublish>(
    `select game_id as "gameId", issue::text, chain_id as "chainId", chain_index as "chainIndex",
       beacon_chain_hash as "beaconChainHash", beacon_round::integer as "beaconRound",
       seed_due as "seedDue", value_due as "valueDue"
     from rounds.to_publish($1::smallint)`,
    [gameId],
  )
}

/** Publishes the seed of a voided round; false if it is too early, or it is published already. */
export function publishSeed(
  db: Queryable,
  { gameId, issue }: Named,
  seed: Uint8Array,
): Promise<boolean> {
  return done(db, `select rounds.publish_seed($1::smallint, $2, $3) as done`, [
    gameId,
    issue,
    Buffer.from(seed),
  ])
}

async function done(db: Queryable, text: string, values: unknown[]): Promise<boolean> {
  return only(await db.query<{ done: boolean }>(text, values)).done
}

export type Result = {
  issue: string
  status: 'drawn' | 'voided'
  digits: [number, number, number] | null
  total: number | null
  /** When it was drawn, or voided. */
  drawnAt: number
}

const RESULT = `round.issue::text, case when state = 'voided' then 'voided' else 'drawn' end as status,
  case when draw.issue is not null then array[digit_1, digit_2, digit_3] end as digits, total,
  coalesce(drawn_at, voided_at) as "drawnAt"`

const RESULTS_OF_GAME = `rounds.round left join rounds.draw using (game_id, issue)
  where game_id = $1::integer and state in ('drawn', 'settled', 'voided')`

export type ResultQuery = {
  gameId: number
  /** A game day; null: all days. */
  day: string | null
  limit: number
  offset: number
}

/** Results of a game, newest first. */
export async function resultsOf(
  db: Queryable,
  { gameId, day, limit, offset }: ResultQuery,
): Promise<Result[]> {
  if (day !== null) return resultsOfDays(db, { gameId, first: day, last: day, limit, offset })
  if (offset === 0) return resultsOfDays(db, { gameId, first: null, last: null, limit, offset })
  const position = await daysAt(db, { gameId, limit, offset })
  if (!position) return []
  return resultsOfDays(db, { gameId, ...position, limit, offset: offset - position.skipped })
}

function resultsOfDays(
  db: Queryable,
  days: {
    gameId: number
    first: string | null
    last: string | null
    limit: number
    offset: number
  },
): Promise<Result[]> {
  return db.query<Result>(
    `select ${RESULT} from ${RESULTS_OF_GAME} and ($2::date is null or game_day between $2 and $3::date)
     order by draws_at desc limit $4 offset $5`,
    [days.gameId, days.first, days.last, days.limit, days.offset],
  )
}

/** The two latest results of a game, newest first: every room shows them. */
export function latestResults(db: Queryable, gameId: number): Promise<Result[]> {
  return db.query<Result>(
    `select ${RESULT} from ${RESULTS_OF_GAME} order by draws_at desc limit 2`,
    [gameId],
    { prepared: true },
  )
}

type DaysAt = { first: string; last: string; skipped: number }

/** The days of a page, and how many results newer days have, which need not be read. */
async function daysAt(
  db: Queryable,
  { gameId, limit, offset }: { gameId: number; limit: number; offset: number },
): Promise<DaysAt | null> {
  const { first, last, skipped } = only(
    await db.query<{ [Key in keyof DaysAt]: DaysAt[Key] | null }>(
      `select min(game_day) as first, max(game_day) as last, min(upto - results)::integer as skipped
       from (
         select game_day, results, sum(results) over (order by game_day desc) as upto
         from rounds.day where game_id = $1::integer
       ) day
       where upto > $2 and upto - results < $3`,
      [gameId, offset, offset + limit],
    ),
  )
  return first === null || last === null || skipped === null ? null : { first, last, skipped }
}

/** How many results a game has, on a day or in all. */
export async function countResults(
  db: Queryable,
  { gameId, day }: Pick<ResultQuery, 'gameId' | 'day'>,
): Promise<number> {
  const { total } = only(
    await db.query<{ total: bigint }>(
      `select coalesce(sum(results), 0)::bigint as total from rounds.day
       where game_id = $1::integer and ($2::date is null or game_day = $2)`,
      [gameId, day],
    ),
  )
  return Number(total)
}

/** Whether a round of a game day is neither drawn nor voided yet. */
export async function hasRoundsToCome(
  db: Queryable,
  { gameId, day }: { gameId: number; day: string },
): Promise<boolean> {
  const waiting = await db.query(
    `select from rounds.round
     where game_id = $1::integer and game_day = $2 and settled_at is null
       and state in ('open', 'sealed')
     limit 1`,
    [gameId, day],
  )
  return waiting.length > 0
}
