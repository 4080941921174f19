import {
  type BeaconClock,
  type BeaconInfo,
  type BeaconKind,
  beaconRoundAt,
  randomnessOf,
  timeOfRound,
  verifySignature,
} from './beacon.ts'
import { type LeafFields, readBookLeaf, rootOfClaim } from './book-tree.ts'
import { type CheckStep, compare } from './check-step.ts'
import { drawDigits } from './draw-digits.ts'
import { DEADLINE_MAX_S, UNSETTLED_MAX_S } from './log-times.ts'
import { hits, payoutOf } from './payout.ts'
import { QUICKNET } from './quicknet.ts'
import { hashSeed } from './seed-chain.ts'

/** A round as `GET /api/fairness/round` returns it. Byte strings in lower-case hex; null until public. */
export interface PublishedRound {
  readonly game_id: number
  readonly issue: string
  readonly status: string
  /** When the round ends, in unix seconds. */
  readonly ends_at: number
  readonly chain_id: number | string
  /** k: the seed is the commitment's k-th pre-image. */
  readonly index: number
  readonly commitment: string
  readonly seed: string | null
  readonly beacon: {
    readonly kind: BeaconKind
    readonly chain_hash: string
    readonly public_key: string
    readonly scheme: string
    /** Unix seconds of the beacon's first round, and seconds between two rounds. */
    readonly genesis_time: number
    readonly period: number
    readonly round: number
    readonly signature: string | null
    readonly randomness: string | null
  }
  readonly digits: readonly number[] | null
  readonly book: {
    readonly root: string | null
    readonly size: number | null
    /** Unix seconds. */
    readonly sealed_at: number | null
  }
  /** Why a round was voided, and what its draw would have been; null if it was not. */
  readonly void: PublishedVoid | null
  /** Unix seconds: the deadline of the beacon's value. */
  readonly voids_at: number
}

export interface PublishedVoid {
  readonly reason: string
  /** Unix seconds. */
  readonly voided_at: number
  /** Null when the beacon's value never came. */
  readonly digits: readonly number[] | null
}

/** The part of a receipt's `proof` that belongs to the player's bet. */
export interface ReceiptProof {
  readonly leaf: string
  readonly nonce: string
  readonly leaf_index: number
  readonly path: readonly string[]
}

/** The bet of a receipt, to be compared with the leaf and the round. Amounts are in micro-units. */
export interface ReceiptOrder {
  readonly orderNo: string
  readonly gameId: number
  readonly issue: string
  readonly planId: number
  /** The rule ids as JSON: `[1,400]`. */
  readonly playType: string
  /** Of each selection its rule id, its odds in thousandths and its stake. */
  readonly classes: readonly number[]
  readonly oddsMilli: readonly number[]
  readonly stakes: readonly bigint[]
  readonly total: bigint
  readonly rulesVersion: number
  /** `1 2 3 6`: three digits and their sum; empty before it is settled. */
  readonly lotteryCode: string
  /** Null before it is settled. */
  readonly settlement: Settlement | null
}

/** What an order says of its end. Amounts are in micro-units. */
export interface Settlement {
  readonly payout: bigint
  /** 1 settled, 2 refunded. */
  readonly status: number
  /** What was paid less the stakes. */
  readonly profit: bigint
  /** 1 if one selection was hit. */
  readonly whetherHit: number
  /** Of each selection; none was hit or missed if it was refunded. */
  readonly payouts: readonly (bigint | null)[]
  readonly hits: readonly (boolean | null)[]
}

export type VerifyStepName =
  | 'state'
  | 'seed'
  | 'beacon-chain'
  | 'beacon-round'
  | 'beacon-after-seal'
  | 'beacon-signature'
  | 'randomness'
  | 'digits'
  | 'void'
  | 'receipt-order'
  | 'receipt-nonce'
  | 'receipt-path'
  | 'receipt-payout'
  | 'receipt-refund'

export type VerifyStep = CheckStep<VerifyStepName>

export interface VerifyRoundInput {
  readonly round: PublishedRound
  readonly receipt?: ReceiptProof | undefined
  readonly order?: ReceiptOrder | undefined
  /**
   * When the file was fetched, in unix seconds, if that is known: then a seed, a refund and a settlement that were due a
   * quarter of an hour before, and are not there, fail.
   */
  readonly now?: number | undefined
  /** When a log with the round's end was signed, in unix seconds, if that is known: a settlement is due from then on. */
  readonly endedAt?: number | undefined
}

export type Verdict = 'verified' | 'failed' | 'unfinished'

/**
 * Checks a published round, and its receipt if given, step by step in order. What the round's state must have, and the
 * round lacks, is a failure by its name. Left out are only `beacon-chain` for a local beacon, the receipt's steps
 * without a receipt and an order, and `void` for a round that was not voided.
 * The beacon of a drand round is quicknet; a local beacon has its key and clock from the operator alone.
 * Malformed values make their step fail; nothing is thrown.
 */
export function verifyRound(input: VerifyRoundInput): VerifyStep[] {
  const trusted = input.round.beacon.kind === 'local' ? null : QUICKNET
  const clock = trusted ?? operatorsClock(input.round)
  return [
    stateStep(input, clock),
    seedStep(input),
    ...(trusted ? [chainStep(input.round, trusted)] : []),
    ...clockSteps(input.round, clock),
    signatureStep(input.round, trusted),
    randomnessStep(input.round),
    digitsStep(input.round),
    ...voidSteps(input.round),
    ...receiptSteps(input),
  ]
}

/** The verdict over all steps; `unfinished` when there are none. */
export function verdictOf(steps: readonly VerifyStep[]): Verdict {
  if (steps.some((step) => step.ok === false)) return 'failed'
  if (steps.length === 0 || steps.some((step) => step.ok === null)) return 'unfinished'
  return 'verified'
}

/** For each state: what the round must have (true) and must not have yet (false); what is not named may be either. */
const DEMANDS: Record<string, Record<string, boolean>> = (() => {
  const book = { 'book.root': true, 'book.size': true, 'book.sealed_at': true }
  const draw = { seed: true, 'beacon.signature': true, 'beacon.randomness': true, digits: true }
  const none = (fields: object) =>
    Object.fromEntries(Object.keys(fields).map((name) => [name, false]))
  const drawn = { ...book, ...draw, void: false }
  return {
    open: none(drawn),
    sealed: { ...none(drawn), ...book },
    drawn,
    settled: drawn,
    voided: { digits: false, void: true },
  }
})()

/** Checks that a round has published all that its state demands, and nothing that its state excludes. */
function stateStep({ round, now, endedAt }: VerifyRoundInput, clock: BeaconClock): VerifyStep {
  const { beacon, book } = round
  const values: Record<string, unknown> = {
    seed: round.seed,
    digits: round.digits,
    void: round.void,
    'beacon.signature': beacon.signature,
    'beacon.randomness': beacon.randomness,
    'book.root': book.root,
    'book.size': book.size,
    'book.sealed_at': book.sealed_at,
  }
  const demands = Object.entries(DEMANDS[round.status] ?? {})
  const faults = demands.flatMap(([name, demanded]) => {
    const has = (values[name] ?? null) !== null
    if (has === demanded) return []
    return [`${demanded ? 'without' : 'with'} ${name}`]
  })
  if (demands.length === 0) faults.push('which is no state')
  if (round.status === 'voided') faults.push(...voidFaults(round))
  // After an outage a round may be drawn late.
  const isLate = round.status === 'drawn' && isOverdue(round.voids_at, now)
  if (isLate && endedAt !== undefined && isOverdue(endedAt, now)) faults.push('not settled')
  // Such a deadline would let a round be voided before anybody could draw it.
  const valueAt = attempt(() => timeOfRound(clock, beacon.round))
  if (valueAt !== null && round.voids_at * 1_000 <= valueAt)
    faults.push('with a deadline before its beacon’s value')
  // And nothing would ever be due by one that is far ahead.
  if (round.voids_at > round.ends_at + DEADLINE_MAX_S)
    faults.push('with a deadline more than a day after its end')
  const step = compare('state', {
    computed: [round.status, ...faults].join(', '),
    published: round.status,
  })
  return isLate && step.ok ? { ...step, ok: null } : step
}

/** A voided round has its whole book or none of it, and the digits that its seed and its value give. */
function voidFaults({ book, beacon, seed, ...round }: PublishedRound): string[] {
  const missing = [book.root, book.size, book.sealed_at].filter((part) => (part ?? null) === null)
  const both = (seed ?? null) !== null && (beacon.signature ?? null) !== null
  return [
    ...(missing.length === 1 || missing.length === 2 ? ['with a part of its book'] : []),
    ...(both && (round.void?.digits ?? null) === null ? ['without void.digits'] : []),
  ]
}

/** Whether what was due at an instant is not there in time, if it is known when the file was fetched; unix seconds. */
function isOverdue(due: number, now = Number.NEGATIVE_INFINITY): boolean {
  return now > due + UNSETTLED_MAX_S
}

/**
 * When a round was voided, in unix seconds: late, after an outage. It is the house's word: a time that is far ahead, by
 * which nothing would ever be due, is none. `now` may be a quarter of an hour behind.
 */
function voidedAt(
  { void: voided, voids_at }: PublishedRound,
  now = Number.NEGATIVE_INFINITY,
): number {
  const at = voided?.voided_at ?? voids_at
  return at > now + 2 * UNSETTLED_MAX_S ? voids_at : at
}

function seedStep({ round, now }: VerifyRoundInput): VerifyStep {
  const { seed, index, commitment: published, status, voids_at } = round
  if (seed === null) {
    const isLate = status === 'voided' && isOverdue(Math.max(voids_at, voidedAt(round, now)), now)
    return { name: 'seed', ok: isLate ? false : missing(round), computed: null, published }
  }
  return compare('seed', { computed: hashSeed(seed, index), published })
}

function chainStep({ beacon }: PublishedRound, trusted: BeaconInfo): VerifyStep {
  return compare('beacon-chain', {
    computed: `${trusted.scheme} ${trusted.chainHash} ${trusted.publicKey}`,
    published: `${beacon.scheme} ${beacon.chain_hash} ${beacon.public_key}`,
  })
}

/** Checks that the announced beacon round is the first after the end, and that its value came after the seal. */
function clockSteps(round: PublishedRound, clock: BeaconClock): VerifyStep[] {
  const due = attempt(() => String(beaconRoundAt(clock, round.ends_at * 1_000)))
  return [
    compare('beacon-round', { computed: due, published: String(round.beacon.round) }),
    afterSealStep(round, clock),
  ]
}

// If the value exists before the book is closed, a bet can be made from it.
function afterSealStep(round: PublishedRound, clock: BeaconClock): VerifyStep {
  const sealedAt = round.book.sealed_at
  const valueAt = attempt(() => timeOfRound(clock, round.beacon.round) / 1000)
  return {
    name: 'beacon-after-seal',
    ok: sealedAt === null ? missing(round) : valueAt !== null && valueAt > sealedAt,
    computed: valueAt === null ? null : String(valueAt),
    published: sealedAt === null ? null : String(sealedAt),
  }
}

function signatureStep(round: PublishedRound, trusted: BeaconInfo | null): VerifyStep {
  const { signature, public_key, round: beaconRound } = round.beacon
  if (signature === null) {
    return { name: 'beacon-signature', ok: missing(round), computed: null, published: null }
  }
  const publicKey = trusted?.publicKey ?? public_key
  const ok = verifySignature({ publicKey, round: beaconRound, signature })
  return {
    name: 'beacon-signature',
    ok,
    computed: ok ? 'valid' : 'invalid',
    published: signature,
  }
}

function randomnessStep(round: PublishedRound): VerifyStep {
  const published = round.beacon.randomness
  const computed = computedRandomness(round)
  if (round.beacon.signature === null && published === null) {
    return { name: 'randomness', ok: missing(round), computed, published }
  }
  return compare('randomness', { computed, published })
}

function digitsStep(round: PublishedRound): VerifyStep {
  // For a voided round: the digits that would have been drawn.
  const digits = round.digits ?? round.void?.digits ?? null
  const published = digits === null ? null : digits.join(' ')
  const { seed } = round
  const randomness = computedRandomness(round)
  const computed =
    seed === null || randomness === null
      ? null
      : attempt(() =>
          drawDigits({ seed, gameId: round.game_id, issue: round.issue, randomness }).join(' '),
        )
  if (published === null) return { name: 'digits', ok: missing(round), computed, published }
  return compare('digits', { computed, published })
}

/**
 * Checks that the reason of a void is the only one that the published times and the book allow: each excludes the
 * others. That somebody who knew the result kept a book back (`sealed_late`), or the value, is not excluded.
 */
function voidSteps(round: PublishedRound): VerifyStep[] {
  const claimed = round.void
  if (!claimed) return []
  const { voided_at: voidedAt } = claimed
  let computed: string | null = null
  if (voidedAt < round.ends_at) computed = 'two_persons'
  else if (round.book.root === null) computed = 'sealed_late'
  else if (voidedAt >= round.voids_at) computed = 'beacon_late'
  return [compare('void', { computed, published: claimed.reason })]
}

/** An order without its line in the book fails: nothing would bind what it says. */
function receiptSteps({ round, receipt, order, now }: VerifyRoundInput): VerifyStep[] {
  if (!receipt) return order ? [orderStep(round, null, order)] : []
  const leaf = readBookLeaf(receipt.leaf)
  return [
    ...(order ? [orderStep(round, leaf, order)] : []),
    compare('receipt-nonce', { computed: leaf?.nonce ?? null, published: receipt.nonce }),
    pathStep(round, receipt),
    ...(order && round.status === 'voided' ? [refundStep(round, order, now)] : []),
    ...(order && round.status !== 'voided' ? [payoutStep(round, leaf, order)] : []),
  ]
}

/** The order is that of its line and of its round, and has the round's result: once it is settled, or if it has one before. */
function orderStep(round: PublishedRound, leaf: LeafFields | null, order: ReceiptOrder) {
  const { playType, classes, stakes, total, lotteryCode } = order
  const [stake = 0n] = stakes
  const isEven = stakes.every((each) => each === stake) && total === stake * BigInt(stakes.length)
  const computed = [
    order.orderNo,
    order.planId,
    playType === `[${classes}]` ? playType : `${playType} [${classes}]`,
    order.oddsMilli,
    order.rulesVersion,
    isEven ? stake : `${stakes} of ${total}`,
    order.gameId,
    order.issue,
    lotteryCode,
  ]
  const isDue = order.settlement !== null || lotteryCode !== ''
  const published = leaf && [
    leaf.orderNo,
    leaf.planId,
    leaf.playType,
    leaf.odds,
    leaf.rulesVersion,
    leaf.stake,
    round.game_id,
    round.issue,
    isDue ? resultOf(round) : '',
  ]
  return compare('receipt-order', {
    // No field of a line and no result has this sign: words that move from one field to another show.
    computed: computed.join(' | '),
    published: published?.join(' | ') ?? null,
  })
}

function resultOf({ digits }: PublishedRound): string {
  return digits ? [...digits, sumOf(digits)].join(' ') : ''
}

/** Computes what was paid from the digits and from the odds that stand in the book. */
function payoutStep(
  round: PublishedRound,
  leaf: LeafFields | null,
  { settlement: published }: ReceiptOrder,
): VerifyStep {
  const computed = leaf && round.digits ? settlementOf(leaf, round.digits) : null
  const step = compareSettlements('receipt-payout', { computed, published }, 1)
  return published === null && round.status !== 'settled' ? { ...step, ok: null } : step
}

/** The stake of a voided round came back: refunded, without profit or loss. */
function refundStep(round: PublishedRound, order: ReceiptOrder, now?: number): VerifyStep {
  const { classes, settlement: published } = order
  const computed = {
    payout: 0n,
    status: 2,
    profit: 0n,
    whetherHit: 0,
    payouts: classes.map(() => 0n),
    hits: classes.map(() => null),
  }
  const step = compareSettlements('receipt-refund', { computed, published }, 3)
  const isWaiting = published === null && !isOverdue(voidedAt(round, now), now)
  return isWaiting ? { ...step, ok: null } : step
}

/** What follows for a bet from its line and the digits; null if it pays no whole number of micro-units. */
function settlementOf(leaf: LeafFields, digits: readonly number[]): Settlement | null {
  const payout = payoutOf(leaf, digits)
  if (payout === null) return null
  const rules = leaf.playType.slice(1, -1).split(',')
  const areHit = rules.map((rule) => hits(Number(rule), sumOf(digits)))
  return {
    payout,
    status: 1,
    profit: payout - BigInt(leaf.stake) * BigInt(rules.length),
    whetherHit: areHit.includes(true) ? 1 : 0,
    payouts: rules.map((rule, at) =>
      payoutOf({ ...leaf, playType: `[${rule}]`, odds: leaf.odds.slice(at, at + 1) }, digits),
    ),
    hits: areHit,
  }
}

function sumOf(digits: readonly number[]): number {
  return digits.reduce((sum, digit) => sum + digit, 0)
}

/** @param shown how many parts are shown, if no later one differs */
function compareSettlements(
  name: 'receipt-payout' | 'receipt-refund',
  settlements: { computed: Settlement | null; published: Settlement | null },
  shown: number,
): VerifyStep {
  const computed = settlements.computed && partsOf(settlements.computed)
  const published = settlements.published && partsOf(settlements.published)
  const { ok } = compare(name, {
    computed: computed?.join() ?? null,
    published: published?.join() ?? null,
  })
  const firstDifference = computed?.findIndex((part, at) => part !== published?.[at]) ?? 0
  const end = Math.max(shown, firstDifference + 1)
  return {
    name,
    ok,
    computed: computed?.slice(0, end).join(', ') ?? null,
    published: published?.slice(0, end).join(', ') ?? null,
  }
}

/** What a settlement says, each in a text. */
export function partsOf({ payout, status, profit, whetherHit, payouts, ...told }: Settlement) {
  return [
    `${payout}`,
    `status ${status}`,
    `profit ${profit}`,
    `whether_hit ${whetherHit}`,
    ...payouts.map((each, at) => `selection ${at + 1}: payout ${each}, hit ${told.hits[at]}`),
  ]
}

function pathStep(round: PublishedRound, receipt: ReceiptProof): VerifyStep {
  const { root, size } = round.book
  if (root === null || size === null) {
    return { name: 'receipt-path', ok: missing(round), computed: null, published: root }
  }
  const { leaf, leaf_index: leafIndex, path } = receipt
  const computed = rootOfClaim({ leaf, leafIndex, size, path })
  return compare('receipt-path', { computed, published: root })
}

/** A local beacon's clock as the operator states it, for there is no other. */
function operatorsClock({ beacon }: PublishedRound): BeaconClock {
  return { genesisTime: beacon.genesis_time, period: beacon.period }
}

// The digits must follow from the signature itself: a randomness that is only stated proves
// nothing.
function computedRandomness(round: PublishedRound): string | null {
  const { signature } = round.beacon
  return signature === null ? null : attempt(() => randomnessOf(signature))
}

// Before the draw a missing value may still be secret; afterwards it is a failure.
function missing(round: PublishedRound): false | null {
  const drawn = round.digits !== null || round.status === 'drawn' || round.status === 'settled'
  return drawn ? false : null
}

// Inputs may be forged: a malformed value is a failed step, not an exception.
function attempt<T>(compute: () => T): T | null {
  try {
    return compute()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
