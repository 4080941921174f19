import type { PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import { drawDigits } from '@sum28/fairness/draw-digits.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/wire-form.ts'
import type { PublishedRow } from './published-round-store.ts'

/** A round with all its public data, in wire form. */
export function publishedRound(row: PublishedRow): PublishedRoundOnWire {
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
    },
    void: voidOf(row),
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
