/** The rounds module's SQL: the life of a round and its draw. */
import type { ScheduledRound } from '@sum28/domain/schedule.ts'
import type { BeaconInfo } from '@sum28/fairness/beacon.ts'
import { callFunction, type Queryable } from '#src/db/database.ts'

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
  /** The beacon's value, in hex, once it is stored: then the round can only be drawn. */
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

/** When the bets of a round that is drawn or voided should be settled or refunded at the latest. */
export const SETTLED_BY = `coalesce(voided_at, draws_at) + interval '10 minutes'`

/**
 * Since when a step of a round is due that is most overdue; null if none is. A draw is due when the beacon's value is
 * stored, or a minute after the end if it is not although the beacon was seen to have it: a full disk may be why.
 * Otherwise a void is due at the deadline. Settlement and refund have ten minutes.
 */
export function mostOverdueAt(db: Queryable): Promise<number | null> {
  return db.value(
    `select min(due_at) from rounds.round
       cross join lateral (select case
         when state = 'open' then seals_at
         when state in ('drawn', 'voided') then ${SETTLED_BY}
         when exists (select from rounds.value
           where value.game_id = round.game_id and value.issue = round.issue) then draws_at
         when exists (select from games.house where beacon_seen >= beacon_round
           and beacon_seen_chain = beacon_chain_hash) then least(draws_at + interval '1 minute', voids_at)
         else voids_at end) due (due_at)
     where settled_at is null and due_at < (select app.now())`,
  )
}

/**
 * Whether a round of this issue and end is missing in one of the games: it may have been held at another time. While the
 * clocks disagree, none is opened.
 */
export function unopened(
  db: Queryable,
  gameIds: readonly number[],
  { issue, drawsAt }: Pick<ScheduledRound, 'issue' | 'drawsAt'>,
): Promise<boolean> {
  return db.exists(
    `select from unnest($1::smallint[]) game (id), games.house
     where not games.clocks_apart(house)
       and not exists (select from rounds.round
         where game_id = game.id and issue = $2 and draws_at = $3)`,
    [gameIds, issue, new Date(drawsAt)],
  )
}

export function roundByIssue(
  db: Queryable,
  { gameId, issue }: { gameId: number; issue: string },
): Promise<Round | undefined> {
  return db.first<Round>(
    `select ${ROUND} from rounds.round where game_id = $1 and issue = $2`,
    [gameId, issue],
    { prepared: true },
  )
}

/** The end of a game's last round; null if it never had one. */
export function lastDrawsAt(db: Queryable, gameId: number): Promise<number | null> {
  return db.value('select max(draws_at) from rounds.round where game_id = $1', [gameId])
}

/** What decides a round's draw; announced when it opens. */
export type Announcement = {
  chainId: number
  /** The beacon, and which of its rounds: the first at or after the end. */
  beacon: BeaconInfo & { round: number }
  /** Until when to wait for the beacon's value. */
  voidsAt: number
}

/** Opens a round with the next seed of the chain; false if it exists already, or the clocks disagree. */
export function openRound(
  db: Queryable,
  gameId: number,
  round: ScheduledRound,
  { chainId, beacon, voidsAt }: Announcement,
): Promise<boolean> {
  return callFunction(
    db,
    'rounds.open',
    ...[gameId, round.issue, round.gameDay, round.number],
    ...[round.opensAt, round.sealsAt, round.drawsAt].map((at) => new Date(at)),
    ...[chainId, beacon.kind, beacon.chainHash, beacon.publicKey, beacon.scheme],
    ...[beacon.genesisTime, beacon.period, beacon.round, new Date(voidsAt)],
  )
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
  return callFunction(db, 'rounds.store_value', gameId, issue, value.signature, value.randomness)
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
  return callFunction(
    db,
    'rounds.draw',
    gameId,
    issue,
    draw.seed,
    draw.signature,
    draw.randomness,
    draw.digits,
  )
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
  return callFunction(db, 'rounds.void', gameId, issue, reason)
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
  return callFunction(db, 'rounds.publish_seed', gameId, issue, seed)
}
