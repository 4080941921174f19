/** Rounds of past days, put into a database without waiting for them; their triggers run. */
import { randomBytes } from 'node:crypto'
import type { Digits } from '@sum28/domain/digits.ts'
import type { TestDatabase } from './test-database.ts'

export type PastRound = {
  /** Its number within the game day, from 1. */
  number: number
  /** Null for a voided round. */
  digits: Digits | null
}

/** The number of a round on the wire. */
export function issueOf(gameDay: string, number: number): string {
  return `${gameDay.replaceAll('-', '')}${String(number).padStart(3, '0')}`
}

const ROUND_SECONDS = 6
const NAMED = `game_id = $1 and issue = any ($2::bigint[])`

/**
 * Adds rounds of one game day, drawn and voided in the given order; each 6 s long, so that a day has room for 14,400.
 */
export async function addPastRounds(
  database: TestDatabase,
  { gameId = 1, gameDay }: { gameId?: number; gameDay: string },
  rounds: readonly PastRound[],
): Promise<void> {
  const issues = rounds.map(({ number }) => issueOf(gameDay, number))
  await sealedRounds(database, { gameId, gameDay }, rounds)
  const drawn = rounds.filter(({ digits }) => digits !== null)
  await database.owner.query(
    `insert into rounds.draw (game_id, issue, seed, beacon_signature, randomness, digit_1, digit_2, digit_3)
     select $1, issue, sha256('seed'), 'signature', sha256('beacon'), a, b, c
     from unnest($2::bigint[], $3::integer[], $4::integer[], $5::integer[])
       with ordinality draw (issue, a, b, c, place)
     order by place`,
    [
      gameId,
      drawn.map(({ number }) => issueOf(gameDay, number)),
      ...[0, 1, 2].map((at) => drawn.map(({ digits }) => digits?.[at])),
    ],
  )
  await database.owner.query(
    `update rounds.round set state = 'drawn' where ${NAMED}
       and exists (select from rounds.draw where (draw.game_id, draw.issue) = (round.game_id, round.issue))`,
    [gameId, issues],
  )
  await database.owner.query(
    `update rounds.round set state = 'settled', settled_at = draws_at + interval '1 s'
     where ${NAMED} and state = 'drawn'`,
    [gameId, issues],
  )
  await voidSealedRounds(database, { gameId, issues })
}

/**
 * Voids sealed rounds at their deadline, and settles them. The guard judges by the database's clock, and these rounds
 * are of any day: it is off meanwhile.
 */
export async function voidSealedRounds(
  { owner }: TestDatabase,
  { gameId = 1, issues }: { gameId?: number; issues: readonly string[] },
): Promise<void> {
  await owner.transaction(async (tx) => {
    await tx.query('alter table rounds.round disable trigger round_guarded')
    await tx.query(
      `update rounds.round set state = 'voided', void_reason = 'beacon_late',
         voided_at = draws_at + interval '600 s', settled_at = draws_at + interval '601 s'
       where ${NAMED} and state = 'sealed'`,
      [gameId, issues],
    )
    await tx.query('alter table rounds.round enable trigger round_guarded')
  })
}

/** Adds rounds that are sealed and not drawn yet. */
export async function sealedRounds(
  { owner }: TestDatabase,
  { gameId = 1, gameDay }: { gameId?: number; gameDay: string },
  rounds: readonly Pick<PastRound, 'number'>[],
): Promise<void> {
  const chainId = await owner.value<number>(
    `insert into fairness.chain (game_id, length, commitment, encrypted_secret, key_id)
     values ($1, 100000, $2, $2, 'test') returning id`,
    [gameId, randomBytes(32)],
  )
  await owner.query(
    `insert into rounds.round (game_id, issue, game_day, number, opens_at, seals_at, draws_at, state,
       chain_id, chain_index, beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme,
       beacon_genesis, beacon_period, beacon_round, voids_at, book_root, book_size, sealed_at)
     select $1, issue, $2, number, at, at + interval '4 s', at + interval '6 s', 'sealed', $3, number,
       'local', 'test', 'test', 'test', extract(epoch from at)::bigint + 6, 3, 1, at + interval '10 minutes', sha256('book'), 0, at + interval '4 s'
     from unnest($4::bigint[], $5::integer[]) round (issue, number),
       lateral (
         select ($2::date + number * make_interval(secs => $6)) at time zone 'UTC' as at
       ) time`,
    [
      gameId,
      gameDay,
      chainId,
      rounds.map(({ number }) => issueOf(gameDay, number)),
      rounds.map(({ number }) => number),
      ROUND_SECONDS,
    ],
  )
}
