import { describe, expect, it } from 'vitest'
import { BETS, CHAIN_DRAWS, publishedRound } from '../testing/published-round.ts'
import { publicKeyOf, randomnessOf, signRound, timeOfRound } from './beacon.ts'
import { deriveBeaconKey } from './beacon-key.ts'
import { bookLeaf, bookPath, buildBook } from './book-tree.ts'
import { drawDigits } from './draw-digits.ts'
import { QUICKNET } from './quicknet.ts'
import {
  type PublishedRound,
  type ReceiptOrder,
  type VerifyRoundInput,
  verdictOf,
  verifyRound,
} from './verify-round.ts'

/** The bets of the vectors; the fourth wins with both choices. */
const bets = BETS.map((bet, at) => (at === 3 ? { ...bet, playType: '[2,408]' } : bet))
const lines = bets.map(bookLeaf)
const closedBook = buildBook(lines)

/** The receipt and the order of a bet in that book. */
function betOf(at: number) {
  const bet = bets[at]
  if (!bet) throw new Error(`no bet ${at}`)
  const receipt = {
    leaf: bookLeaf(bet),
    nonce: bet.nonce,
    leaf_index: at,
    path: bookPath(closedBook, at),
  }
  const classes = JSON.parse(bet.playType) as number[]
  const payout = at === 3 ? 7_768_000_000n : 0n
  const order: ReceiptOrder = {
    ...bet,
    gameId: 1,
    issue: publishedRound().issue,
    classes,
    stakes: [bet.stake, bet.stake],
    total: 2n * bet.stake,
    lotteryCode: '2 5 1 8',
    settlement: {
      payout,
      status: 1,
      profit: payout - 2n * bet.stake,
      whetherHit: at === 3 ? 1 : 0,
      payouts: at === 3 ? [768_000_000n, 7_000_000_000n] : [0n, 0n],
      hits: [at === 3, at === 3],
    },
  }
  return { receipt, order }
}

function failedSteps(input: VerifyRoundInput): string[] {
  return verifyRound(input)
    .filter((step) => step.ok !== true)
    .map((step) => `${step.name}:${step.ok}`)
}

const round: PublishedRound = publishedRound({ lines })
const { beacon, book } = round
const open: PublishedRound = {
  ...{ ...round, status: 'open', seed: null, digits: null },
  beacon: { ...beacon, signature: null, randomness: null },
  book: { root: null, size: null, sealed_at: null },
}

describe('checking a published round', () => {
  it.each(CHAIN_DRAWS)('verifies game $game_id, round $issue', (draw) => {
    const steps = verifyRound({ round: publishedRound({ draw, lines }) })
    expect(verdictOf(steps)).toBe('verified')
    expect(steps.map((step) => step.name)).toEqual([
      'state',
      'seed',
      'beacon-chain',
      'beacon-round',
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
    ['a seed that is no hex', { ...round, seed: 'x' }, ['seed:false', 'digits:false']],
    ['an issue that is none', { ...round, issue: '1|1' }, ['digits:false']],
    [
      'no beacon round at all',
      { ...round, beacon: { ...beacon, round: 0 } },
      ['beacon-round:false', 'beacon-after-seal:false', 'beacon-signature:false'],
    ],
    [
      'a signature that is no hex',
      { ...round, beacon: { ...beacon, signature: 'x' } },
      ['beacon-signature:false', 'randomness:false', 'digits:false'],
    ],
    ['withheld digits', { ...round, digits: null }, ['state:false', 'digits:false']],
    [
      'a withheld signature',
      { ...round, beacon: { ...beacon, signature: null } },
      ['state:false', 'beacon-signature:false', 'randomness:false', 'digits:false'],
    ],
    ['a state that is none', { ...round, status: 'paid' }, ['state:false']],
  ])('catches %s', (_, forged, steps) => {
    expect(failedSteps({ round: forged })).toEqual(steps)
    expect(verdictOf(verifyRound({ round: forged }))).toBe('failed')
  })

  it('checks a local beacon by its published key', () => {
    const steps = verifyRound({ round: ownBeaconRound() })
    expect(verdictOf(steps)).toBe('verified')
    expect(steps.map((step) => step.name)).not.toContain('beacon-chain')
  })

  // The app passes on what the server sent, unchecked: any value may be missing or of another kind.
  it.each<[string, string, object]>([
    ['seed', 'no seed follows and no commitment is published', { seed: 'x', commitment: null }],
    ['seed', 'the index is none', { index: 0 }],
    ['seed', 'the index is none and no commitment is published', { index: 0, commitment: null }],
    ['seed', 'the commitment is left out', { index: 1.5, commitment: undefined }],
    ['seed', 'the index is text', { index: '1' }],
    ['seed', 'the seed is a number', { seed: 7 }],
    [
      'randomness',
      'none follows and none is published',
      { beacon: { ...beacon, signature: 'x', randomness: null } },
    ],
    ['beacon-signature', 'it is a number', { beacon: { ...beacon, signature: 7 } }],
    ['beacon-signature', 'the round is text', { beacon: { ...beacon, round: `${beacon.round}` } }],
    ['beacon-chain', 'the key is left out', { beacon: { ...beacon, public_key: undefined } }],
    [
      'beacon-chain',
      'the scheme is another',
      { beacon: { ...beacon, scheme: 'pedersen-bls-chained' } },
    ],
    ['beacon-chain', 'the hash is another', { beacon: { ...beacon, chain_hash: 'ab'.repeat(32) } }],
    [
      'beacon-after-seal',
      'the time of the seal is left out',
      { book: { ...book, sealed_at: undefined } },
    ],
    ['beacon-after-seal', 'it is no number', { book: { ...book, sealed_at: Number.NaN } }],
    ['digits', 'there are four', { digits: [...(round.digits ?? []), 0] }],
    ['digits', 'there are two', { digits: round.digits?.slice(0, 2) }],
    ['digits', 'there are none', { digits: [] }],
    ['digits', 'the game is text', { game_id: '1|1' }],
  ])('fails the step %s if %s', (name, _why, odd) => {
    const steps = verifyRound({ round: { ...round, ...odd } as PublishedRound })
    expect(steps.find((step) => step.name === name)).toMatchObject({ ok: false })
    expect(verdictOf(steps)).toBe('failed')
  })

  it.each([
    ['failed', [true, null, false]],
    ['failed', [false]],
    ['unfinished', [true, null]],
    ['unfinished', []],
    ['verified', [true, true]],
  ] as const)('is %s after steps with the results %j', (verdict, results) => {
    const step = { name: 'seed', computed: null, published: null } as const
    expect(verdictOf(results.map((ok) => ({ ...step, ok })))).toBe(verdict)
  })

  it('fails if a local beacon states a clock that gives no round', () => {
    const valueAt = timeOfRound(QUICKNET, beacon.round) / 1_000
    for (const clock of [
      { genesis_time: valueAt + 3, period: 3 },
      { genesis_time: Number.NaN, period: 3 },
      { genesis_time: 0, period: 0 },
    ]) {
      const own = { ...ownBeaconRound(clock), ends_at: valueAt }
      expect(failedSteps({ round: own })).toContain('beacon-round:false')
    }
  })

  it("checks that the beacon's round is the first after the end of the round", () => {
    const endsAt = timeOfRound(QUICKNET, beacon.round) / 1_000
    const endedAt = (at: number) => failedSteps({ round: { ...round, ends_at: at } })
    expect(endedAt(endsAt)).toEqual([])
    expect(endedAt(endsAt - 2)).toEqual([])
    for (const other of [endsAt + 1, endsAt - 3]) {
      expect(endedAt(other)).toEqual(['beacon-round:false'])
    }
  })

  describe('the clock that the operator states', () => {
    const clock = { genesis_time: QUICKNET.genesisTime, period: QUICKNET.period }
    const endsAt = timeOfRound(QUICKNET, beacon.round) / 1_000
    const stepsOf = (of: PublishedRound) => verifyRound({ round: of }).map((step) => step.name)

    it('is used for a local beacon, which has no other', () => {
      const own = ownBeaconRound(clock)
      const ended = { ...own, ends_at: endsAt }
      expect(stepsOf(ended)).toEqual(expect.arrayContaining(['beacon-round', 'beacon-after-seal']))
      expect(failedSteps({ round: ended })).toEqual([])
      expect(failedSteps({ round: { ...ended, ends_at: endsAt + 1 } })).toEqual([
        'beacon-round:false',
      ])
      const closedLate = { ...ended, book: { ...book, sealed_at: endsAt } }
      expect(failedSteps({ round: closedLate })).toEqual(['beacon-after-seal:false'])
    })

    it('is never used for drand', () => {
      const moved = { ...round, beacon: { ...beacon, genesis_time: 1, period: 1 } }
      expect(failedSteps({ round: { ...moved, ends_at: endsAt } })).toEqual([])
    })
  })

  it('shows when the value came and when the book was closed, in unix seconds', () => {
    const valueAt = timeOfRound(QUICKNET, beacon.round) / 1_000
    const afterSeal = (of: PublishedRound) =>
      verifyRound({ round: of }).find((step) => step.name === 'beacon-after-seal')
    expect(afterSeal(round)).toMatchObject({
      computed: String(valueAt),
      published: String(valueAt - 30),
    })
    expect(afterSeal({ ...round, book: { ...book, sealed_at: null } })).toMatchObject({
      ok: false,
      computed: String(valueAt),
      published: null,
    })
    // A value of no time is not after the seal, however early that was.
    const timeless = { ...round, beacon: { ...beacon, round: 0 }, book: { ...book, sealed_at: -1 } }
    expect(afterSeal(timeless)).toMatchObject({ ok: false, computed: null, published: '-1' })
  })

  it.each([
    ['without its signature', { signature: null }, null, beacon.randomness],
    ['withheld', { randomness: null }, beacon.randomness, null],
  ])('refuses a randomness that is %s', (_how, part, computed, published) => {
    const open = { ...round, status: 'sealed', digits: null, beacon: { ...beacon, ...part } }
    expect(verifyRound({ round: open }).find((step) => step.name === 'randomness')).toEqual({
      name: 'randomness',
      ok: false,
      computed,
      published,
    })
  })

  it.each([
    ['open', null],
    ['sealed', null],
    ['drawn', false],
    ['settled', false],
  ])('of a round that is %s, what is missing gives %s', (status, ok) => {
    const bare = { ...open, status }
    const steps = verifyRound({ round: bare, receipt: betOf(0).receipt })
    for (const name of ['seed', 'beacon-after-seal', 'beacon-signature', 'randomness', 'digits'])
      expect(steps.find((step) => step.name === name)).toMatchObject({ ok })
    expect(steps.at(-1)).toMatchObject({ name: 'receipt-path', ok })
    // Digits are shown only after the draw, whatever the status says.
    const withDigits = { ...bare, digits: round.digits }
    expect(failedSteps({ round: withDigits })).toEqual(
      expect.arrayContaining(['state:false', 'seed:false']),
    )
  })

  it('shows the digits that follow, if those of the draw are withheld', () => {
    expect(verifyRound({ round: { ...round, digits: null } }).at(-1)).toEqual({
      name: 'digits',
      ok: false,
      computed: round.digits?.join(' '),
      published: null,
    })
  })

  it('neither verifies nor fails what is not public yet', () => {
    expect(verdictOf(verifyRound({ round: open }))).toBe('unfinished')
    expect(failedSteps({ round: open, receipt: betOf(0).receipt })).toEqual([
      'seed:null',
      'beacon-after-seal:null',
      'beacon-signature:null',
      'randomness:null',
      'digits:null',
      'receipt-path:null',
    ])
    expect(verdictOf([])).toBe('unfinished')
    const withoutSize = { ...open, book: { ...open.book, root: round.book.root } }
    expect(failedSteps({ round: withoutSize, receipt: betOf(0).receipt }).at(-1)).toBe(
      'receipt-path:null',
    )
  })

  const drawnOnly = {
    seed: round.seed,
    'beacon.signature': beacon.signature,
    digits: round.digits,
    'beacon.randomness': beacon.randomness,
  }
  const ofBook = {
    'book.root': book.root,
    'book.size': book.size,
    'book.sealed_at': book.sealed_at,
  }
  const ofVoid = { void: { reason: 'two_persons', voided_at: round.ends_at - 1, digits: null } }
  /** What must be there in each state; what the other states have must not be there. */
  const demands: Record<string, object> = {
    open: {},
    sealed: ofBook,
    drawn: { ...ofBook, ...drawnOnly },
    settled: { ...ofBook, ...drawnOnly },
  }
  it.each(Object.keys(demands))(
    'names what a round that is %s lacks, or has too early',
    (status) => {
      const all: Record<string, unknown> = { ...ofBook, ...drawnOnly, ...ofVoid }
      const has = demands[status] ?? {}
      for (const [field, value] of [['', null], ...Object.entries(all)] as const) {
        const values = Object.fromEntries(
          Object.keys(all).map((name) => {
            const own = name in has ? all[name] : null
            return [name, name !== field ? own : own === null ? value : null]
          }),
        )
        const part = (group: string) =>
          Object.fromEntries(
            Object.entries(values).flatMap(([name, of]) =>
              name.startsWith(group) ? [[name.slice(group.length), of]] : [],
            ),
          )
        const altered = {
          ...round,
          status,
          seed: values.seed,
          digits: values.digits,
          void: values.void,
          beacon: { ...beacon, ...part('beacon.') },
          book: part('book.'),
        } as PublishedRound
        expect(verifyRound({ round: altered })[0]).toEqual({
          name: 'state',
          ok: field === '',
          computed:
            field === '' ? status : `${status}, ${field in has ? 'without' : 'with'} ${field}`,
          published: status,
        })
      }
    },
  )

  it.each<[string, object]>([
    ['without its reason', { void: null }],
    ['with a part of its book', { book: { ...book, size: null } }],
    ['with digits', { digits: round.digits }],
    ['without the digits that seed and value give', { void: { ...ofVoid.void, digits: null } }],
  ])('fails a round that was voided %s', (_, odd) => {
    const voidFacts = { ...ofVoid.void, digits: round.digits }
    const voided = { ...round, status: 'voided', digits: null, void: voidFacts }
    expect(failedSteps({ round: voided })).toEqual([])
    const altered = { ...voided, ...odd } as PublishedRound
    expect(failedSteps({ round: altered })).toContain('state:false')
  })
})

describe('the reason of a void', () => {
  const endsAt = timeOfRound(QUICKNET, beacon.round) / 1_000
  const voidedOf = (of: Pick<PublishedRound, 'book' | 'void'>): PublishedRound => ({
    ...{ ...round, status: 'voided', digits: null, ends_at: endsAt, voids_at: endsAt + 600 },
    ...of,
  })
  const inTime = { root: 'ab'.repeat(32), size: 1, sealed_at: endsAt - 30 }
  const late = { root: null, size: null, sealed_at: endsAt - 30 }

  it.each([
    ['before its end', { book: inTime, voidedAt: endsAt - 1 }, 'two_persons'],
    ['after its end, without a book', { book: late, voidedAt: endsAt }, 'sealed_late'],
    ['once its deadline had passed', { book: inTime, voidedAt: endsAt + 600 }, 'beacon_late'],
    ['between its end and its deadline', { book: inTime, voidedAt: endsAt + 599 }, null],
  ] as const)('of a round that was voided %s is the only one accepted', (_when, facts, right) => {
    for (const reason of ['two_persons', 'sealed_late', 'beacon_late', 'other']) {
      const told = { reason, voided_at: facts.voidedAt, digits: round.digits }
      const voided = voidedOf({ book: facts.book, void: told })
      const step = verifyRound({ round: voided }).find(({ name }) => name === 'void')
      expect(step).toMatchObject({ ok: reason === right, published: reason })
      expect(step?.computed).toBe(right)
    }
  })

  it('is not decided by a deadline before the value exists', () => {
    expect(failedSteps({ round: { ...round, voids_at: endsAt } })).toContain('state:false')
  })

  it('is not sealed_late if there is a book, whenever it was closed', () => {
    const told = { reason: 'sealed_late', voided_at: endsAt, digits: null }
    const voided = voidedOf({ book: { ...inTime, sealed_at: endsAt }, void: told })
    expect(failedSteps({ round: voided })).toContain('void:false')
  })

  it('is not proved if none is right and none is published', () => {
    const told = { reason: null as never, voided_at: endsAt, digits: null }
    expect(failedSteps({ round: voidedOf({ book: inTime, void: told }) })).toContain('void:false')
  })

  it('is not enough: the digits that would have been drawn are checked too', () => {
    const told = { reason: 'beacon_late', voided_at: endsAt + 600, digits: [9, 9, 9] }
    const voided = voidedOf({ book: inTime, void: told })
    expect(failedSteps({ round: voided })).toContain('digits:false')
  })
})

describe('checking a receipt', () => {
  it.each(bets.map(({ orderNo }, at) => ({ orderNo, at })))('verifies $orderNo', ({ at }) => {
    const steps = verifyRound({ round, ...betOf(at) })
    expect(verdictOf(steps)).toBe('verified')
    expect(steps.slice(-4).map((step) => step.name)).toEqual([
      'receipt-order',
      'receipt-nonce',
      'receipt-path',
      'receipt-payout',
    ])
  })

  it('needs the line of an order, and what it paid', () => {
    const { receipt, order } = betOf(3)
    expect(failedSteps({ round, order })).toEqual(['receipt-order:false'])
    const { settlement } = order
    if (!settlement) throw new Error('the bet is settled')
    for (const told of [
      { payout: 7_768_000_001n },
      { payout: 0n },
      { status: 2 },
      { profit: 0n },
      { whetherHit: 0 },
      { payouts: [7_000_000_000n, 768_000_000n] },
      { hits: [true, false] },
    ]) {
      const altered = { ...order, settlement: { ...settlement, ...told } }
      expect(failedSteps({ round, receipt, order: altered })).toEqual(['receipt-payout:false'])
    }
    const unpaid = { ...order, settlement: null }
    expect(failedSteps({ round, receipt, order: unpaid })).toEqual(['receipt-payout:false'])
    const drawn = { ...round, status: 'drawn' }
    expect(failedSteps({ round: drawn, receipt, order: unpaid })).toEqual(['receipt-payout:null'])
  })

  it('shows of a settlement what differs first', () => {
    const { receipt, order } = betOf(3)
    const settlement = order.settlement && { ...order.settlement, profit: 0n }
    const stepOf = (shown: ReceiptOrder) =>
      verifyRound({ round, receipt, order: shown }).find(({ name }) => name === 'receipt-payout')
    expect(stepOf(order)).toMatchObject({ computed: '7768000000', published: '7768000000' })
    expect(stepOf({ ...order, settlement })).toMatchObject({
      computed: '7768000000, status 1, profit 6968000000',
      published: '7768000000, status 1, profit 0',
    })
  })

  it("catches the leaf of another player's bet", () => {
    const { order } = betOf(3)
    expect(failedSteps({ round, receipt: betOf(2).receipt, order })).toEqual([
      'receipt-order:false',
      'receipt-payout:false',
    ])
    const nonce = betOf(2).receipt.nonce
    expect(failedSteps({ round, receipt: { ...betOf(3).receipt, nonce } })).toEqual([
      'receipt-nonce:false',
    ])
  })

  it('fails a receipt whose leaf is not a bet', () => {
    const { receipt, order } = betOf(0)
    for (const leaf of ['hello', `${receipt.leaf}|`, receipt.leaf.split('|', 7).join('|')]) {
      const steps = verifyRound({ round, receipt: { ...receipt, leaf }, order })
      expect(steps.slice(-4)).toMatchObject([
        { name: 'receipt-order', ok: false, published: null },
        { name: 'receipt-nonce', ok: false, computed: null },
        { name: 'receipt-path', ok: false },
        { name: 'receipt-payout', ok: false, computed: null },
      ])
    }
  })

  it.each<[string, object, string[]]>([
    [
      'no nonce, and none in its leaf',
      { leaf: 'hello', nonce: null },
      ['receipt-nonce', 'receipt-path'],
    ],
    [
      'a nonce in capitals, as in its leaf',
      {
        leaf: betOf(3).receipt.leaf.replace(/[0-9a-f]{32}$/, 'A'.repeat(32)),
        nonce: 'A'.repeat(32),
      },
      ['receipt-nonce', 'receipt-path'],
    ],
    ['a nonce of capitals', { nonce: betOf(3).receipt.nonce.toUpperCase() }, ['receipt-nonce']],
    ['a place that is text', { leaf_index: '3' }, ['receipt-path']],
    ['no position', { leaf_index: null }, ['receipt-path']],
    ['a place between two', { leaf_index: 3.5 }, ['receipt-path']],
    ['a path of nothing', { path: [null, null, null] }, ['receipt-path']],
    [
      'a path that goes on',
      { path: [...betOf(3).receipt.path, 'ab'.repeat(32)] },
      ['receipt-path'],
    ],
    [
      'a path in capitals',
      { path: betOf(3).receipt.path.map((hash) => hash.toUpperCase()) },
      ['receipt-path'],
    ],
  ])('fails a receipt with %s', (_what, odd, steps) => {
    const receipt = { ...betOf(3).receipt, ...odd }
    expect(failedSteps({ round, receipt })).toEqual(steps.map((name) => `${name}:false`))
  })

  it('fails a receipt of a book whose root is not in its published form', () => {
    for (const root of [book.root?.toUpperCase(), '', undefined] as string[]) {
      const odd = { ...round, book: { ...book, root } }
      expect(failedSteps({ round: odd, receipt: betOf(3).receipt })).toContain('receipt-path:false')
    }
    // No root follows from this claim, and none is published.
    const none = { ...round, book: { ...book, root: undefined as never } }
    const receipt = { ...betOf(3).receipt, path: [] }
    expect(failedSteps({ round: none, receipt })).toContain('receipt-path:false')
  })

  it.each(['root', 'size'])('fails a receipt if the %s of the book is withheld', (part) => {
    const withheld = { ...round, book: { ...book, [part]: null } }
    expect(verifyRound({ round: withheld, receipt: betOf(3).receipt }).at(-1)).toEqual({
      name: 'receipt-path',
      ok: false,
      computed: null,
      published: part === 'root' ? null : book.root,
    })
  })
})

// A round drawn with a beacon whose key the operator made.
function ownBeaconRound(clock: Partial<PublishedRound['beacon']> = {}): PublishedRound {
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
      ...clock,
    },
    digits: drawDigits({ seed, gameId: round.game_id, issue: round.issue, randomness }),
  }
}
