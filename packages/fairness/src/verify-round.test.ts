import { describe, expect, it } from 'vitest'
import quicknet from '../testing/vectors/drand-quicknet.json' with { type: 'json' }
import vectors from '../testing/vectors/fairness-vectors.json' with { type: 'json' }
import { publicKeyOf, randomnessOf, signRound, timeOfRound } from './beacon.ts'
import { deriveBeaconKey } from './beacon-key.ts'
import { drawDigits } from './draw-digits.ts'
import { QUICKNET } from './quicknet.ts'
import {
  type PublishedRound,
  type VerifyRoundInput,
  verdictOf,
  verifyRound,
} from './verify-round.ts'

const chainDraws = vectors.draws.filter((draw) => 'index' in draw)

// A round as the server publishes it after the draw, made from the test vectors.
function publishedRound(draw = chainDraws[0]): PublishedRound {
  if (draw === undefined) throw new Error('no vectors')
  const { round, signature, randomness } = beaconValue(draw.beacon_round)
  return {
    game_id: draw.game_id,
    issue: draw.issue,
    status: 'settled',
    chain_id: 1,
    index: draw.index ?? 0,
    commitment: vectors.chain.commitment,
    seed: draw.seed,
    beacon: {
      kind: 'drand',
      chain_hash: quicknet.chain_hash,
      public_key: quicknet.public_key,
      scheme: quicknet.scheme,
      round,
      signature,
      randomness,
    },
    digits: draw.digits,
    book: {
      root: vectors.book.root,
      size: vectors.book.leaves.length,
      sealed_at: timeOfRound(QUICKNET, round) / 1000 - 30,
    },
  }
}

function beaconValue(round: number) {
  const value = quicknet.rounds.find((known) => known.round === round)
  if (value === undefined) throw new Error(`no vector for beacon round ${round}`)
  return value
}

function receiptOf(leafIndex: number) {
  const leaf = vectors.book.leaves[leafIndex] ?? ''
  return {
    leaf,
    nonce: leaf.split('|')[4] ?? '',
    leaf_index: leafIndex,
    path: vectors.book.paths[leafIndex] ?? [],
  }
}

function failedSteps(input: VerifyRoundInput): string[] {
  return verifyRound(input)
    .filter((step) => step.ok !== true)
    .map((step) => `${step.name}:${step.ok}`)
}

const round = publishedRound()
const { beacon, book } = round

describe('checking a published round', () => {
  it.each(chainDraws)('verifies game $game_id, round $issue', (draw) => {
    const steps = verifyRound({ round: publishedRound(draw) })
    expect(verdictOf(steps)).toBe('verified')
    expect(steps.map((step) => step.name)).toEqual([
      'seed',
      'beacon-chain',
      'beacon-after-seal',
      'beacon-signature',
      'randomness',
      'digits',
    ])
  })

  it('shows the computed value beside the published one', () => {
    const forged = { ...round, digits: [9, 9, 9] }
    expect(verifyRound({ round: forged }).at(-1)).toEqual({
      name: 'digits',
      ok: false,
      computed: '2 5 1',
      published: '9 9 9',
    })
  })

  it.each<[string, PublishedRound, string[]]>([
    ['another seed', { ...round, seed: 'ab'.repeat(32) }, ['seed:false', 'digits:false']],
    ['a seed that is no hex', { ...round, seed: 'x' }, ['seed:false', 'digits:false']],
    ['another index', { ...round, index: 2 }, ['seed:false']],
    ['another commitment', { ...round, commitment: 'ab'.repeat(32) }, ['seed:false']],
    ['digits in another order', { ...round, digits: [5, 2, 1] }, ['digits:false']],
    ['another issue', { ...round, issue: '20261120002' }, ['digits:false']],
    ['an issue that is none', { ...round, issue: '1|1' }, ['digits:false']],
    ['another game', { ...round, game_id: 2 }, ['digits:false']],
    [
      'a neighbouring beacon round',
      { ...round, beacon: { ...beacon, round: beacon.round + 1 } },
      ['beacon-signature:false'],
    ],
    [
      'no beacon round at all',
      { ...round, beacon: { ...beacon, round: 0 } },
      ['beacon-after-seal:false', 'beacon-signature:false'],
    ],
    [
      'another randomness',
      { ...round, beacon: { ...beacon, randomness: 'ab'.repeat(32) } },
      ['randomness:false'],
    ],
    [
      'a signature that is no hex',
      { ...round, beacon: { ...beacon, signature: 'x' } },
      ['beacon-signature:false', 'randomness:false', 'digits:false'],
    ],
    [
      'a book that was closed when the value existed',
      { ...round, book: { ...book, sealed_at: timeOfRound(QUICKNET, beacon.round) / 1000 } },
      ['beacon-after-seal:false'],
    ],
    ['a withheld seed', { ...round, seed: null }, ['seed:false', 'digits:false']],
    ['withheld digits', { ...round, digits: null }, ['digits:false']],
    [
      'a withheld signature',
      { ...round, beacon: { ...beacon, signature: null } },
      ['beacon-signature:false', 'randomness:false', 'digits:false'],
    ],
  ])('catches %s', (_, forged, steps) => {
    expect(failedSteps({ round: forged })).toEqual(steps)
    expect(verdictOf(verifyRound({ round: forged }))).toBe('failed')
  })

  it("catches the operator's own beacon that claims to be drand, even when all its values agree", () => {
    const own = ownBeaconRound()
    const asDrand = { ...own, beacon: { ...own.beacon, kind: 'drand' as const } }
    expect(failedSteps({ round: asDrand })).toEqual([
      'beacon-chain:false',
      'beacon-signature:false',
    ])
  })

  it('checks a local beacon by its published key, or by a trusted one if given', () => {
    const own = ownBeaconRound()
    const steps = verifyRound({ round: own })
    expect(verdictOf(steps)).toBe('verified')
    expect(steps.map((step) => step.name)).not.toContain('beacon-chain')
    const trustedBeacon = {
      ...QUICKNET,
      kind: 'local' as const,
      publicKey: own.beacon.public_key,
    }
    expect(verdictOf(verifyRound({ round: own, trustedBeacon }))).toBe('verified')
    expect(failedSteps({ round: own, trustedBeacon: QUICKNET })).toContain('beacon-chain:false')
  })

  it("checks the beacon's round against the end of the round when that is known", () => {
    const endsAt = timeOfRound(QUICKNET, beacon.round)
    expect(verdictOf(verifyRound({ round, endsAt }))).toBe('verified')
    expect(verdictOf(verifyRound({ round, endsAt: endsAt - 2999 }))).toBe('verified')
    for (const other of [endsAt + 1, endsAt - 3000, 0]) {
      expect(failedSteps({ round, endsAt: other })).toEqual(['beacon-round:false'])
    }
  })

  it('neither verifies nor fails what is not public yet', () => {
    const open = {
      ...round,
      status: 'open',
      seed: null,
      digits: null,
      beacon: { ...beacon, signature: null, randomness: null },
      book: { root: null, size: null, sealed_at: null },
    }
    expect(verdictOf(verifyRound({ round: open }))).toBe('unfinished')
    expect(failedSteps({ round: open, receipt: receiptOf(0) })).toEqual([
      'seed:null',
      'beacon-after-seal:null',
      'beacon-signature:null',
      'randomness:null',
      'digits:null',
      'receipt-path:null',
    ])
    expect(verdictOf([])).toBe('unfinished')
  })
})

describe('the reason of a void', () => {
  const endsAt = timeOfRound(QUICKNET, beacon.round) / 1_000
  const inTime = { root: 'ab'.repeat(32), size: 1, sealed_at: endsAt - 30 }
  const late = { root: null, size: null, sealed_at: endsAt - 30 }

  it.each([
    ['before its end', { book: inTime, voidedAt: endsAt - 1 }, 'two_persons'],
    ['after its end, without a book', { book: late, voidedAt: endsAt }, 'sealed_late'],
    ['once its deadline had passed', { book: inTime, voidedAt: endsAt + 600 }, 'beacon_late'],
    ['between its end and its deadline', { book: inTime, voidedAt: endsAt + 599 }, null],
  ] as const)('of a round that was voided %s is the only one accepted', (_when, facts, right) => {
    for (const reason of ['two_persons', 'sealed_late', 'beacon_late', 'missed']) {
      const voided = {
        ...round,
        status: 'voided',
        ...{ digits: null, book: facts.book, ends_at: endsAt, voids_at: endsAt + 600 },
        void: { reason, voided_at: facts.voidedAt, digits: round.digits },
      }
      const step = verifyRound({ round: voided }).find(({ name }) => name === 'void')
      expect(step).toMatchObject({ ok: reason === right, published: reason })
      expect(step?.computed).toBe(right)
    }
  })

  it('is not enough: the digits that would have been drawn are checked too', () => {
    const voided = {
      ...round,
      status: 'voided',
      ...{ digits: null, book: inTime, ends_at: endsAt, voids_at: endsAt + 600 },
      void: { reason: 'beacon_late', voided_at: endsAt + 600, digits: [9, 9, 9] },
    }
    expect(failedSteps({ round: voided })).toContain('digits:false')
  })
})

describe('checking a receipt', () => {
  it.each(vectors.book.leaves.map((leaf, i) => ({ leaf, i })))('verifies $leaf', ({ leaf, i }) => {
    const [orderNo = '', , playType = '', stake = ''] = leaf.split('|')
    const order = { orderNo, playType, stake: BigInt(stake) }
    const steps = verifyRound({ round, receipt: receiptOf(i), order })
    expect(verdictOf(steps)).toBe('verified')
    expect(steps.slice(-3).map((step) => step.name)).toEqual([
      'receipt-order',
      'receipt-nonce',
      'receipt-path',
    ])
  })

  it('catches a bet that was changed, moved or never in the book', () => {
    const receipt = receiptOf(3)
    const leaf = receipt.leaf.replace('400000000', '400000001')
    expect(failedSteps({ round, receipt: { ...receipt, leaf } })).toEqual(['receipt-path:false'])
    expect(failedSteps({ round, receipt: { ...receipt, leaf_index: 2 } })).toEqual([
      'receipt-path:false',
    ])
    expect(failedSteps({ round, receipt: { ...receipt, path: [] } })).toEqual([
      'receipt-path:false',
    ])
    const smaller = { ...round, book: { ...book, size: 3 } }
    expect(failedSteps({ round: smaller, receipt })).toEqual(['receipt-path:false'])
  })

  it("catches the leaf of another player's bet", () => {
    const order = { orderNo: 'O1003', playType: '[1,403]', stake: 400_000_000n }
    expect(failedSteps({ round, receipt: receiptOf(3), order })).toEqual([])
    expect(failedSteps({ round, receipt: receiptOf(2), order })).toEqual(['receipt-order:false'])
    const nonce = receiptOf(2).nonce
    expect(failedSteps({ round, receipt: { ...receiptOf(3), nonce } })).toEqual([
      'receipt-nonce:false',
    ])
  })

  it('fails a receipt whose leaf is not a bet', () => {
    const receipt = { ...receiptOf(0), leaf: 'hello' }
    const order = { orderNo: 'O1000', playType: '[1,400]', stake: 100_000_000n }
    expect(failedSteps({ round, receipt, order })).toEqual([
      'receipt-order:false',
      'receipt-nonce:false',
      'receipt-path:false',
    ])
  })
})

// A round drawn with a beacon whose key the operator made.
function ownBeaconRound(): PublishedRound {
  const key = deriveBeaconKey(new Uint8Array(32).fill(9))
  const signature = signRound(key, beacon.round)
  const randomness = randomnessOf(signature)
  const { seed } = round
  if (seed === null) throw new Error('the published round has its seed')
  return {
    ...round,
    beacon: {
      ...beacon,
      kind: 'local',
      public_key: publicKeyOf(key),
      signature,
      randomness,
    },
    digits: drawDigits({ seed, gameId: round.game_id, issue: round.issue, randomness }),
  }
}
