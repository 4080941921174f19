/** A drawn round as the house publishes it: a draw of the test vectors, with the real value of its beacon. */
import { timeOfRound } from '../src/beacon.ts'
import { bookLeaf, buildBook } from '../src/book-tree.ts'
import { QUICKNET } from '../src/quicknet.ts'
import quicknet from './vectors/drand-quicknet.json' with { type: 'json' }
import vectors from './vectors/fairness-vectors.json' with { type: 'json' }

/** The draws whose seeds are of the vectors' chain. */
export const CHAIN_DRAWS = vectors.draws.filter((draw) => 'index' in draw)

/** The bets of the vectors, with odds and the version of their rules. */
export const BETS = vectors.book.leaves.map((text) => {
  const [orderNo = '', planId, playType = '', stake = '', nonce = ''] = text.split('|')
  return {
    orderNo,
    nonce,
    planId: Number(planId),
    stake: BigInt(stake),
    playType,
    oddsMilli: [1_920, 17_500],
    rulesVersion: 3,
  }
})

/**
 * @param draw of the vectors' chain; its first one by default
 * @param lines of the bets in the round's book; those of the vectors by default
 */
export function publishedRound({ draw = CHAIN_DRAWS[0], lines = BETS.map(bookLeaf) } = {}) {
  const value = quicknet.rounds.find(({ round }) => round === draw?.beacon_round)
  if (!draw || !value) throw new Error('the vectors lack a draw')
  const endsAt = timeOfRound(QUICKNET, value.round) / 1_000
  const [first = 0, second = 0, third = 0] = draw.digits
  const book = buildBook(lines)
  return {
    game_id: draw.game_id,
    issue: draw.issue,
    status: 'settled' as const,
    ends_at: endsAt,
    voids_at: endsAt + 600,
    chain_id: 1,
    index: draw.index ?? 0,
    commitment: vectors.chain.commitment,
    seed: draw.seed,
    beacon: {
      kind: 'drand' as const,
      chain_hash: quicknet.chain_hash,
      public_key: quicknet.public_key,
      scheme: quicknet.scheme,
      genesis_time: quicknet.genesis_time,
      period: quicknet.period,
      ...value,
    },
    digits: [first, second, third] as [number, number, number],
    book: {
      root: book.root,
      size: book.size,
      sealed_at: endsAt - 30,
    },
    void: null,
  }
}
