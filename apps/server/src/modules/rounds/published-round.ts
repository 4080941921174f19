/** The public data of a round, and its wire form. */
import type { PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import { drawDigits } from '@sum28/fairness/draw-digits.ts'
import type { Queryable } from '#src/db/database.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/wire-form.ts'
import type { RoundState, VoidReason } from './round-store.ts'

/** Byte strings in hex; null until they are public. Before the draw or void the seed is not read here. */
export type PublishedRow = {
  gameId: number
  issue: string
  state: RoundState
  drawsAt: number
  chainId: number
  chainIndex: number
  commitment: string
  seed: string | null
  beaconKind: 'drand' | 'local'
  beaconChainHash: string
  beaconPublicKey: string
  beaconScheme: string
  /** Unix seconds. */
  beaconGenesis: bigint
  /** Seconds. */
  beaconPeriod: number
  voidsAt: number
  beaconRound: bigint
  signature: string | null
  randomness: string | null
  digits: [number, number, number] | null
  bookRoot: string | null
  bookSize: number | null
  sealedAt: number | null
  witnessedAt: number | null
  voidReason: VoidReason | null
  voidedAt: number | null
}

const PUBLISHED = `round.game_id as "gameId", round.issue::text, state, draws_at as "drawsAt",
  chain_id as "chainId", chain_index as "chainIndex", encode(commitment, 'hex') as commitment,
  encode(coalesce(draw.seed, revealed.seed), 'hex') as seed, beacon_kind as "beaconKind", beacon_chain_hash as "beaconChainHash",
  beacon_public_key as "beaconPublicKey", beacon_scheme as "beaconScheme",
  beacon_genesis as "beaconGenesis", beacon_period as "beaconPeriod", beacon_round as "beaconRound",
  voids_at as "voidsAt",
  encode(coalesce(draw.beacon_signature, later.beacon_signature), 'hex') as signature,
  encode(coalesce(draw.randomness, later.randomness), 'hex') as randomness,
  case when draw.issue is not null then array[digit_1, digit_2, digit_3] end as digits,
  encode(book_root, 'hex') as "bookRoot", book_size as "bookSize", sealed_at as "sealedAt",
  coalesce(witnessed_at, public_log.book_witnessed_at(round.game_id, round.issue)) as "witnessedAt",
  void_reason as "voidReason", voided_at as "voidedAt"`

/** All public data of a round at present. */
export function publishedRoundByIssue(
  db: Queryable,
  { gameId, issue }: { gameId: number; issue: string },
): Promise<PublishedRow | undefined> {
  return db.first<PublishedRow>(
    `select ${PUBLISHED}
     from rounds.round
       join fairness.chain on chain.id = chain_id
       left join rounds.draw on draw.game_id = round.game_id and draw.issue = round.issue
       left join rounds.voided_seed revealed on revealed.game_id = round.game_id and revealed.issue = round.issue
       left join rounds.value later on later.game_id = round.game_id and later.issue = round.issue
         and state = 'voided'
     where round.game_id = $1::integer and round.issue = $2`,
    [gameId, issue],
  )
}

/** A round with all its public data, in wire form. @param log what the public log proves of it */
export function publishedRound(
  row: PublishedRow,
  log: PublishedRoundOnWire['log'] = null,
): PublishedRoundOnWire {
  return {
    game_id: row.gameId,
    issue: row.issue,
    status: row.state,
    ends_at: unixSeconds(row.drawsAt),
    voids_at: unixSeconds(row.voidsAt),
    chain_id: row.chainId,
    index: row.chainIndex,
    commitment: row.commitment,
    seed: row.seed,
    beacon: {
      kind: row.beaconKind,
      chain_hash: row.beaconChainHash,
      public_key: row.beaconPublicKey,
      scheme: row.beaconScheme,
      genesis_time: Number(row.beaconGenesis),
      period: row.beaconPeriod,
      round: Number(row.beaconRound),
      signature: row.signature,
      randomness: row.randomness,
    },
    digits: row.digits,
    book: {
      root: row.bookRoot,
      size: row.bookSize,
      sealed_at: unixSecondsOrNull(row.sealedAt),
      witnessed_at: unixSecondsOrNull(row.witnessedAt),
    },
    void: voidOf(row),
    log,
  }
}

function voidOf(row: PublishedRow): PublishedRoundOnWire['void'] {
  const { voidReason: reason, voidedAt, seed, randomness } = row
  if (reason === null || voidedAt === null) return null
  const isPublished = seed !== null && randomness !== null
  return {
    reason,
    voided_at: unixSeconds(voidedAt),
    digits: isPublished
      ? [...drawDigits({ gameId: row.gameId, issue: row.issue, seed, randomness })]
      : null,
  }
}
