/** The rounds module's SQL: the life of a round and its draw. */
import type { ScheduledRound } from '@sum28/domain/schedule.ts'
import { only, type Queryable } from '#src/db/database.ts'

export type RoundState = 'open' | 'sealed' | 'drawn' | 'settled' | 'voided'

export type Round = {
  gameId: number
  issue: string
  gameDay: string
  opensAt: number
  sealsAt: number
  drawsAt: number
  state: RoundState
  chainId: number
  chainIndex: number
  beaconRound: number
  beaconChainHash: string
  bookRoot: Buffer | null
  settledAt: number | null
}

const ROUND = `game_id as "gameId", issue::text, game_day as "gameDay", opens_at as "opensAt",
  seals_at as "sealsAt", draws_at as "drawsAt", state, chain_id as "chainId", chain_index as "chainIndex",
  beacon_round::integer as "beaconRound", beacon_chain_hash as "beaconChainHash",
  book_root as "bookRoot", settled_at as "settledAt"`

/** Rounds of a game in which something is still to be done, oldest first. */
export function unfinishedRounds(db: Queryable, gameId: number): Promise<Round[]> {
  return db.query<Round>(
    `select ${ROUND} from rounds.round where game_id = $1 and settled_at is null order by issue`,
    [gameId],
  )
}

export async function roundByIssue(
  db: Queryable,
  { gameId, issue }: { gameId: number; issue: string },
): Promise<Round | undefined> {
  const [row] = await db.query<Round>(
    `select ${ROUND} from rounds.round where game_id = $1 and issue = $2`,
    [gameId, issue],
  )
  return row
}

/** What decides a round's draw, announced as it opens. */
export type Announcement = {
  chainId: number
  beacon: {
    kind: 'drand' | 'local'
    chainHash: string
    publicKey: string
    scheme: string
    round: number
  }
}

/** Opens a round with the next seed of the chain; false when it is there already. */
export async function openRound(
  db: Queryable,
  gameId: number,
  round: ScheduledRound,
  { chainId, beacon }: Announcement,
): Promise<boolean> {
  const row = only(
    await db.query<{ opened: boolean }>(
      `select rounds.open($1::smallint, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) as opened`,
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
        beacon.round,
      ],
    ),
  )
  return row.opened
}

type Named = Pick<Round, 'gameId' | 'issue'>

/** Ends betting on a round whose time has come; false when there was nothing to do. */
export function sealRound(db: Queryable, { gameId, issue }: Named): Promise<boolean> {
  return done(db, `select rounds.seal($1::smallint, $2) as done`, [gameId, issue])
}

export function closeBook(
  db: Queryable,
  { gameId, issue }: Named,
  book: { root: Uint8Array; size: number },
): Promise<boolean> {
  return done(db, `select rounds.close_book($1::smallint, $2, $3, $4) as done`, [
    gameId,
    issue,
    Buffer.from(book.root),
    book.size,
  ])
}

export type DrawInputs = {
  seed: Uint8Array
  signature: Uint8Array
  randomness: Uint8Array
  digits: readonly [number, number, number]
}

/** Stores a round's draw; false when it has one, or may not have one yet. */
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

export function voidRound(
  db: Queryable,
  { gameId, issue }: Named,
  reason: 'beacon_late' | 'missed',
): Promise<boolean> {
  return done(db, `select rounds.void($1::smallint, $2, $3) as done`, [gameId, issue, reason])
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

const HAS_RESULT = `state in ('drawn', 'settled', 'voided')`

export type ResultQuery = {
  gameId: number
  /** A game day; null is all of them. */
  day: string | null
  limit: number
  offset: number
}

/** Results of a game, newest first. */
export function resultsOf(
  db: Queryable,
  { gameId, day, limit, offset }: ResultQuery,
): Promise<Result[]> {
  return db.query<Result>(
    `select ${RESULT}
     from rounds.round left join rounds.draw using (game_id, issue)
     where game_id = $1::integer and ($2::date is null or game_day = $2) and ${HAS_RESULT}
     order by issue desc limit $3 offset $4`,
    [gameId, day, limit, offset],
  )
}

export async function countResults(
  db: Queryable,
  { gameId, day }: Pick<ResultQuery, 'gameId' | 'day'>,
): Promise<number> {
  const { total } = only(
    await db.query<{ total: bigint }>(
      `select count(*) as total from rounds.round
       where game_id = $1::integer and ($2::date is null or game_day = $2) and ${HAS_RESULT}`,
      [gameId, day],
    ),
  )
  return Number(total)
}
