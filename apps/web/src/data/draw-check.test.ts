/**
 * Goal: the page's check has the right result for a complete round and receipt, for each altered one,
 * and for unfinished ones. Method: a round made by the rules with the test's own chain and beacon,
 * checked by the program that the worker runs.
 */

import type { PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { payoutOfBet } from '@sum28/domain/payout.ts'
import { BEACON_SCHEME, publicKeyOf, randomnessOf, signRound } from '@sum28/fairness/beacon.ts'
import { deriveBeaconKey } from '@sum28/fairness/beacon-key.ts'
import { bookLeaf, bookPath, buildBook } from '@sum28/fairness/book-tree.ts'
import { drawDigits } from '@sum28/fairness/draw-digits.ts'
import { keyChangeText } from '@sum28/fairness/key-change.ts'
import { hashSeed, makeSeedChain, seedForRound } from '@sum28/fairness/seed-chain.ts'
import {
  cosign,
  formatNote,
  formatVerifierKey,
  readNote,
  type SigningKey,
  signingKey,
  signNote,
} from '@sum28/fairness/signed-note.ts'
import {
  EARLIER,
  logged,
  logKey,
  rulesOf,
  secondWitnessKey,
  signedReceipt,
  witnessKey,
} from '@sum28/fairness/testing/logged.ts'
import { publishedRound } from '@sum28/fairness/testing/published-round.ts'
import { verifyRound } from '@sum28/fairness/verify-round.ts'
import { forgetServerClock, listenToServerClock } from '@sum28/ui/server-clock.ts'
import { deviceStorage } from '@sum28/ui/storage.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CheckInput, CheckStep } from '#src/data/check-worker.ts'
import {
  chainStep,
  fetchedAt,
  keptStep,
  keysStep,
  ownerStep,
  publicStep,
  seenStep,
  verdictOfCheck,
} from '#src/data/draw-check.ts'
import type { SeedChain } from '#src/data/fairness.ts'
import { keepLine, keptLine } from '#src/data/kept-lines.ts'
import { keepRoots } from '#src/data/kept-roots.ts'
import { type Receipt, readReceipt, receiptFileName, receiptText } from '#src/data/receipt.ts'
import { beginSession, dropSession } from '#src/data/session-watch.ts'
import { ownCheck, verifyInput } from '#src/data/verify-input.ts'
import { CheckWorker } from '#src/testing/check-worker.ts'
import { USERINFO } from '#src/testing/usual-replies.ts'

const GENESIS = 1_700_000_000
const ENDS_AT = GENESIS + 300
const seeds = makeSeedChain(new Uint8Array(32).fill(7), 8)
const key = deriveBeaconKey(new Uint8Array(32).fill(9))
const signature = signRound(key, 101)
const drawn = { gameId: 4, issue: '20261120007', randomness: randomnessOf(signature) }
const seed = seedForRound(seeds, 3)
const digits = drawDigits({ seed, ...drawn })
const nonce = '0f'.repeat(16)
const leaves = ['A1', 'A2', 'A3'].map((orderNo) =>
  bookLeaf({
    orderNo,
    planId: 4,
    playType: '[1,413]',
    oddsMilli: [1_920, 1_920],
    rulesVersion: 3,
    stake: 100_500_000n,
    nonce,
  }),
)
const book = buildBook(leaves)

const EARLIER_AND_RULES = [...EARLIER, rulesOf({ game_id: 4, leaf: leaves[1] ?? '' }) ?? '']

const published = {
  game_id: 4,
  issue: drawn.issue,
  status: 'settled' as const,
  ends_at: ENDS_AT,
  voids_at: ENDS_AT + 600,
  chain_id: 12,
  index: 3,
  commitment: seeds.commitment,
  seed,
  beacon: {
    kind: 'local' as const,
    chain_hash: 'aa'.repeat(32),
    public_key: publicKeyOf(key),
    scheme: BEACON_SCHEME,
    genesis_time: GENESIS,
    period: 3,
    round: 101,
    signature,
    randomness: drawn.randomness,
  },
  digits: [...digits] as [number, number, number],
  book: { root: book.root, size: 3, sealed_at: ENDS_AT - 30 },
  void: null,
}

const round: PublishedRoundOnWire = logged(published, { before: EARLIER_AND_RULES })

const undrawn = {
  seed: null,
  digits: null,
  beacon: { ...round.beacon, signature: null, randomness: null },
}

const open: PublishedRoundOnWire = {
  ...round,
  ...undrawn,
  status: 'open',
  book: { root: null, size: null, sealed_at: null, witnessed_at: null },
  log: null,
}

const sum = digits.reduce((total, digit) => total + digit, 0)
const paid = paidFor([1, 413])

function paidFor(ruleIds: readonly number[]) {
  const selections = ruleIds.map((ruleId) => ({ ruleId, oddsMilli: 1_920 }))
  return payoutOfBet(100_500_000n, selections, sum)
}

function selectionOf(ruleId: number, class_name: string): Receipt['selections'][number] {
  const payout = paidFor([ruleId])
  return {
    class: ruleId,
    class_name,
    odds: '1.92',
    stake: '100.50',
    payout: formatAmount(payout),
    hit: payout > 0n,
  }
}

const receipt: Receipt = {
  orderNo: 'A2',
  createtime: ENDS_AT - 60,
  name: 'BTC',
  plan_name: 'Basic',
  status: 1,
  whether_hit: paid > 0n ? 1 : 0,
  profit: formatAmount(paid - 201_000_000n),
  issue: round.issue,
  quantity: '201.00',
  lottery_code: [...digits, sum].join(' '),
  play_method: 'long, 13',
  play_type: '[1,413]',
  id: 2,
  game_id: 4,
  plan_id: 4,
  plan_type: 0,
  rules_version: 3,
  unit: 'u',
  payout: formatAmount(paid),
  settled_at: ENDS_AT + 1,
  selections: [selectionOf(1, 'long'), selectionOf(413, '13')],
  witnessed: true,
  proof: {
    ...logged({ ...published, leaf: leaves[1] ?? '', player_id: 7 }),
    nonce,
    leaf_index: 1,
    path: bookPath(book, 1),
    signed: signedReceipt({ ...round, leaf: leaves[1] ?? '', player_id: 7 }),
  },
}

const chain: SeedChain = {
  id: 12,
  game_id: 4,
  length: 8,
  commitment: seeds.commitment,
  committed_at: GENESIS,
  used: 3,
}

function stepsOf(input: CheckInput): CheckStep[] {
  const { steps, log } = ownCheck(input)
  return [...steps, ...(log ? [keysStep(log)] : [])]
}

function failed(input: CheckInput): string[] {
  return stepsOf(input).flatMap(({ name, ok }) => (ok === false ? [name] : []))
}

function verdict(input: CheckInput) {
  return verdictOfCheck(stepsOf(input), input)
}

const ofReceipt = (changed: Receipt): CheckInput => ({
  round: changed.proof,
  receipt: changed,
  published: round,
})

describe('a round', () => {
  it('that is complete is verified, with clock and book, but proves nothing by a beacon of the operator', () => {
    expect(verdict({ round })).toBe('unproved')
    const ofDrand = publishedRound()
    const drand = logged(ofDrand)
    const of = (file: PublishedRoundOnWire) => verdict({ round: file })
    expect(of(drand)).toBe('verified')
    expect(of(logged(ofDrand, { witnessedAt: null }))).toBe('unwitnessed')
    expect(of(logged(ofDrand, { witnessedAt: ofDrand.ends_at }))).toBe('unwitnessed')
    expect(of({ ...drand, log: null })).toBe('unwitnessed')
    expect(of(logged(ofDrand, { endWitnessedAt: null }))).toBe('incomplete')
    expect(of({ ...drand, log: drand.log && { ...drand.log, end: null } })).toBe('incomplete')
    const steps = stepsOf({ round: drand })
    const { commitment } = drand
    const listed = { ...chain, id: 1, game_id: 1, commitment, committed_at: 0 }
    expect(verdictOfCheck([...steps, chainStep(drand, [listed])], { round: drand })).toBe(
      'verified',
    )
    expect(verdictOfCheck([...steps, chainStep(drand, undefined)], { round: drand })).toBe(
      'incomplete',
    )
    const names = verifyRound(verifyInput({ round })).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['beacon-round', 'beacon-after-seal', 'digits']))
  })

  it('that names drand as its beacon is checked with drand’s own key', () => {
    const beacon = { ...round.beacon, kind: 'drand' as const }
    expect(failed({ round: { ...round, beacon } })).toContain('beacon-signature')
  })

  it.each<[string, Partial<PublishedRoundOnWire>]>([
    ['seed', { seed: 'ff'.repeat(32) }],
    ['digits', { digits: [(digits[0] + 1) % 10, digits[1], digits[2]] }],
    ['beacon-round', { ends_at: ENDS_AT - 3 }],
    ['beacon-after-seal', { book: { ...round.book, sealed_at: ENDS_AT } }],
    ['beacon-signature', { beacon: { ...round.beacon, signature: signRound(key, 102) } }],
  ])('fails at the %s that was altered', (step, change) => {
    expect(failed({ round: { ...round, ...change } })).toContain(step)
    expect(verdict({ round: { ...round, ...change } })).toBe('failed')
  })

  it('is pending before its draw, and reported as voided if there is none', () => {
    expect(verdict({ round: open })).toBe('pending')
    const reason = { reason: 'sealed_late' as const, voided_at: ENDS_AT, digits: null }
    const voided = { ...open, status: 'voided' as const, void: reason }
    // That no book was kept back when its number was known, nobody saw.
    expect(verdict({ round: logged(voided) })).toBe('unwitnessed')
    const later = { ...reason, reason: 'beacon_late' as const, voided_at: round.voids_at }
    const withBook = { ...voided, book: round.book, void: later }
    // Nor whether its number was kept back.
    expect(verdict({ round: logged(withBook) })).toBe('unwitnessed')
    const byTwo = { ...later, reason: 'two_persons' as const, voided_at: ENDS_AT - 20 }
    const voidOfTwo = logged({ ...withBook, void: byTwo }, { endWitnessedAt: ENDS_AT - 15 })
    expect(verdict({ round: voidOfTwo })).toBe('voided')
    const refund = (ok: boolean | null) => ({
      name: 'receipt-refund' as const,
      ok,
      computed: null,
      published: null,
    })
    const steps = stepsOf({ round: voidOfTwo })
    expect(verdictOfCheck([...steps, refund(true)], { round: voidOfTwo })).toBe('voided')
    expect(verdictOfCheck([...steps, refund(null)], { round: voidOfTwo })).toBe('incomplete')
    expect(verdict({ round: { ...open, status: 'voided' } })).toBe('failed')
    // What no signed log shows is the operator's word.
    expect(verdict({ round: voided })).toBe('incomplete')
    expect(verdict({ round: logged(voided, { endWitnessedAt: null }) })).toBe('incomplete')
  })

  it('fails if the log says another end, or had no commitment of its seed', () => {
    const reason = { reason: 'beacon_late' as const, voided_at: ENDS_AT + 600, digits: null }
    const voided = logged({ ...round, ...undrawn, status: 'voided' as const, void: reason })
    expect(verdict({ round: { ...voided, log: round.log } })).toBe('failed')
    expect(verdict({ round: { ...round, log: voided.log } })).toBe('failed')
    const chosen = 'ab'.repeat(32)
    const commitment = hashSeed(chosen, round.index) ?? ''
    const other = drawDigits({ seed: chosen, ...drawn })
    const forged = {
      ...round,
      seed: chosen,
      commitment,
      digits: [...other] as [number, number, number],
    }
    expect(failed({ round: { ...forged, log: round.log && { ...round.log, end: null } } })).toEqual(
      ['log'],
    )
    const late = logged(forged, { arrange: ([first = '', ...rest]) => [...rest, first] })
    expect(failed({ round: late })).toEqual(['log'])
    // A failure is shown before what has no result.
    const { log } = round
    const cut = log && { ...log, end: null, chain: { ...log.chain, index: log.chain.index + 1 } }
    expect(failed({ round: { ...round, log: cut } })).toEqual(['log'])
  })
})

describe('a round that was fetched when the log had to have all of it', () => {
  const { log } = round
  const withoutEnd = { ...round, log: log && { ...log, end: null } }
  const withoutBook = { ...round, log: log && { ...log, book: null } }
  const unlogged = { ...open, status: 'open' as const }
  const NOW_MS = Date.parse('2026-11-20T12:00:00Z')
  const HOURS_26 = 26 * 3_600_000
  afterEach(() => {
    forgetServerClock()
    vi.useRealTimers()
  })

  /** By a clock of the device, and one of the server that differs from it; seconds after the round's end. */
  function check(shown: PublishedRoundOnWire, after: number, aheadMs = 0) {
    const ends = { ...shown, ends_at: NOW_MS / 1_000 - after }
    vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS + aheadMs })
    listenToServerClock()(String(NOW_MS / 1_000))
    const times = fetchedAt({ ...ends, voids_at: ends.ends_at + 600 }, Date.now())
    // The round itself is of another time: its own deadlines are as far away.
    const moved = times.fetchedAt?.map((time) => (time === 0 ? 0 : time - ends.ends_at + ENDS_AT))
    const input = { round: shown, ...(moved && { fetchedAt: moved }) }
    const steps = stepsOf(input)
    const { ok } = steps.find(({ name }) => name === 'log') ?? { ok: undefined }
    return { ok, told: steps.some(({ name }) => name === 'clock') }
  }

  it('fails without the seed of a void, or unsettled, a quarter of an hour after that was due', () => {
    const due = ENDS_AT + 600 + 900
    const reason = { reason: 'two_persons' as const, voided_at: ENDS_AT - 20, digits: null }
    const voided = logged({ ...round, ...undrawn, status: 'voided' as const, void: reason })
    const cases = { seed: voided, state: { ...round, status: 'drawn' as const } }
    for (const [name, shown] of Object.entries(cases)) {
      const failedAt = (...times: number[]) => failed({ round: shown, fetchedAt: times })
      expect(fetchedAt(shown, (due + 2) * 1_000).fetchedAt).toEqual([due + 1, due + 1])
      expect(failedAt(due + 1, due)).toEqual([])
      expect(failedAt(due + 1, due + 1)).toEqual([name])
    }
    // After an outage, a round is voided or drawn late.
    const endedAt = due + 3_600
    const drawn = { ...published, status: 'drawn' as const }
    const beaconLate = { ...reason, reason: 'beacon_late' as const, voided_at: endedAt }
    const late = {
      seed: logged({ ...voided, void: beaconLate }),
      state: logged(drawn, { endWitnessedAt: endedAt }),
    }
    for (const [name, shown] of Object.entries(late)) {
      const failedAt = (at: number) => failed({ round: shown, ...fetchedAt(shown, at * 1_000) })
      expect(failedAt(endedAt + 899)).toEqual([])
      expect(failedAt(endedAt + 901)).toEqual([name])
    }
  })

  it.each<[string, PublishedRoundOnWire, number]>([
    ['book', withoutBook, 600],
    ['end', withoutEnd, 1_200],
    ['announcement', unlogged, 600],
  ])('fails without its %s from ten minutes after that was due', (_, shown, due) => {
    expect(check(shown, due)).toEqual({ ok: null, told: false })
    expect(check(shown, due + 1)).toEqual({ ok: false, told: false })
  })

  it('accuses nobody by a clock that is wrong by 26 hours, and says that the two differ', () => {
    for (const ahead of [HOURS_26, -HOURS_26]) {
      expect(check(withoutEnd, ahead > 0 ? 5 : 1_201, ahead)).toEqual({ ok: null, told: true })
      // All of it is there: nothing is left to be late.
      expect(check(round, 5, ahead)).toEqual({ ok: true, told: false })
    }
    expect(verdict({ round: withoutEnd, fetchedAt: [ENDS_AT + 9_999, 0] })).toBe('unproved')
    const drand = { ...withoutEnd, beacon: { ...round.beacon, kind: 'drand' as const } }
    const steps = [{ name: 'witness' as const, ok: true, computed: null, published: null }]
    const late = { name: 'clock' as const, ok: null, computed: null, published: null }
    expect(verdictOfCheck([...steps, late], { round: drand })).toBe('incomplete')
  })
})

describe('a receipt', () => {
  it('that is complete is verified', () => {
    expect(verdict(ofReceipt(receipt))).toBe('unproved')
  })

  it.each<[string, Partial<Receipt>]>([
    ['receipt-order', { orderNo: 'A1' }],
    ['receipt-order', { play_type: '[1]' }],
    ['receipt-order', { issue: '20261120008' }],
    ['receipt-order', { plan_id: 31 }],
    ['receipt-order', { rules_version: 2 }],
    ['receipt-order', { selections: receipt.selections.map((one) => ({ ...one, odds: '1.93' })) }],
    ['receipt-order', { quantity: '200.00' }],
    ['receipt-order', { lottery_code: '0 0 0 0' }],
    ['receipt-order', { selections: [selectionOf(413, '13'), selectionOf(1, 'long')] }],
    ['receipt-payout', { payout: '1.00' }],
    ['receipt-payout', { settled_at: null }],
    ['receipt-payout', { whether_hit: paid > 0n ? 0 : 1 }],
    ['receipt-payout', { selections: receipt.selections.map((one) => ({ ...one, hit: null })) }],
    [
      'receipt-payout',
      { selections: receipt.selections.map((one) => ({ ...one, payout: '1.00' })) },
    ],
    ['receipt-order', { selections: receipt.selections.slice(1) }],
    [
      'receipt-order',
      { selections: receipt.selections.map((one) => ({ ...one, stake: '1.500' })) },
    ],
    ['receipt-nonce', { proof: { ...receipt.proof, nonce: '00'.repeat(16) } }],
    ['receipt-path', { proof: { ...receipt.proof, leaf_index: 0 } }],
    [
      'receipt-signature',
      { proof: { ...receipt.proof, signed: signedReceipt({ ...receipt.proof, leaf: 'x' }) } },
    ],
    ['log', { proof: { ...receipt.proof, voids_at: round.voids_at + 1 } }],
    ['receipt-path', { proof: { ...receipt.proof, leaf_index: null, path: [] } }],
    ['log', { proof: { ...receipt.proof, log: round.log } }],
  ])('fails at the %s that was altered', (step, change) => {
    expect(failed(ofReceipt({ ...receipt, ...change }))).toContain(step)
  })

  it('saved before the draw is reported as unfinished', () => {
    const proof = { ...receipt.proof, ...open, leaf_index: null, path: [] }
    const early = { ...receipt, settled_at: null, lottery_code: '', proof }
    expect(verdict(ofReceipt(early))).toBe('early')
  })

  it('is the same after saving and opening, and other text is not a receipt', () => {
    expect(readReceipt(receiptText(receipt))).toEqual(receipt)
    expect(receiptFileName(receipt)).toBe('sum28-receipt-A2.json')
    for (const text of [
      '',
      'null',
      '[]',
      '{}',
      '{"orderNo":"A2"}',
      receiptText(receipt).slice(1),
    ]) {
      expect(readReceipt(text)).toBeNull()
    }
  })
})

describe('the root that this device saw at the seal', () => {
  const seen = { gameId: round.game_id, roundId: round.issue }

  it('is compared with the book that is shown later; the first one stays', () => {
    expect(seenStep(round)).toBeNull()
    keepRoots([{ ...seen, bookRoot: null }])
    expect(seenStep(round)).toBeNull()
    keepRoots([{ ...seen, bookRoot: book.root }])
    keepRoots([{ ...seen, bookRoot: 'cd'.repeat(32) }])
    expect(seenStep(round)).toMatchObject({ ok: true, computed: book.root })
    const other = { ...round, book: { ...round.book, root: 'cd'.repeat(32) } }
    expect(seenStep(other)).toMatchObject({ ok: false, published: 'cd'.repeat(32) })
    expect(seenStep({ ...round, game_id: 3 })).toBeNull()
  })

  it('fails a round that is shown later as if no book had been closed', () => {
    const sealedLate: PublishedRoundOnWire = logged({
      ...open,
      issue: '20261120008',
      status: 'voided' as const,
      seed,
      void: { reason: 'sealed_late' as const, voided_at: ENDS_AT, digits: null },
    })
    function verdictOf(shown: PublishedRoundOnWire) {
      const step = seenStep(shown)
      return verdictOfCheck([...stepsOf({ round: shown }), ...(step ? [step] : [])], {
        round: shown,
      })
    }
    expect(verdictOf(sealedLate)).toBe('unwitnessed')
    keepRoots([{ ...seen, roundId: sealedLate.issue, bookRoot: book.root }])
    expect(verdictOf(sealedLate)).toBe('failed')
    for (const status of ['sealed', 'drawn', 'settled', 'voided'] as const) {
      const step = seenStep({ ...sealedLate, status })
      expect(step).toMatchObject({ ok: false, computed: book.root, published: null })
    }
  })

  it('is not compared with a receipt that was saved before the seal', () => {
    keepRoots([{ ...seen, bookRoot: book.root }])
    expect(seenStep(open)).toBeNull()
  })
})

describe('the keys that this device saw first', () => {
  beforeEach(() => deviceStorage().clear())
  const [second, third] = [5, 6].map((byte) =>
    signingKey(logKey.name, 'log', new Uint8Array(32).fill(byte)),
  ) as [SigningKey, SigningKey]
  const changed = (before: SigningKey, after: SigningKey) =>
    keyChangeText({ before, after, changedAt: ENDS_AT })
  const by = (key: SigningKey, key_changes: string[] = []) => {
    const shown = logged(round, { key })
    return { round: { ...shown, log: { ...shown.log, key_changes } } }
  }
  const keysOf = (input: CheckInput) => stepsOf(input).find(({ name }) => name === 'keys')?.ok

  it('lead to those that they signed as the next ones, and are kept', () => {
    expect(keysOf(by(logKey))).toBe(true)
    expect(keysOf(by(second))).toBeNull()
    expect(keysOf(by(second, [changed(third, second)]))).toBeNull()
    expect(keysOf(by(second, [changed(logKey, second)]))).toBe(true)
    // Of a file that does not show the change.
    expect(keysOf(by(second))).toBe(true)
    expect(keysOf(by(third, [changed(logKey, second), changed(second, third)]))).toBe(true)
  })

  it('have to have signed the end too', () => {
    expect(keysOf(by(logKey))).toBe(true)
    expect(keysOf({ round: logged(round, { endKey: second }) })).toBeNull()
  })

  it('have to have signed the receipt, and not only the log that it shows', () => {
    expect(keysOf(by(logKey))).toBe(true)
    const { log } = receipt.proof
    const { checkpoint = '', keys = [] } = log ?? {}
    const { text = '', signatures = [] } = readNote(checkpoint) ?? {}
    const both = formatNote({ text, signatures: [...signatures, signNote(text, second)] })
    const shown = log && { ...log, checkpoint: both, keys: [...keys, formatVerifierKey(second)] }
    const ofKey = (key: SigningKey) => {
      const proof = { ...receipt.proof, signed: signedReceipt(receipt.proof, key), log: shown }
      return keysOf({ round: proof, receipt: { ...receipt, proof } })
    }
    expect(ofKey(logKey)).toBe(true)
    expect(ofKey(second)).toBeNull()
  })

  const byTwo = { reason: 'two_persons' as const, voided_at: ENDS_AT - 20, digits: null }
  const voidOfTwo = { ...round, ...undrawn, status: 'voided' as const, void: byTwo }

  it.each<[string, boolean | null, Parameters<typeof seenBy>[1]]>([
    ['book in time', true, { book: ENDS_AT - 1, end: ENDS_AT + 5 }],
    ['book too late', null, { book: ENDS_AT, end: ENDS_AT + 5 }],
    ['void in time', true, { book: ENDS_AT - 30, end: ENDS_AT - 1 }],
    ['void too late', null, { book: ENDS_AT - 30, end: ENDS_AT }],
  ])('have to have signed the %s, where another key signed it in time', (name, ok, at) => {
    expect(keysOf(by(logKey))).toBe(true)
    const shown = logged(name.startsWith('void') ? voidOfTwo : published, {
      by: [secondWitnessKey],
      endWitnessedAt: ENDS_AT - 15,
    })
    expect(keysOf({ round: shown })).toBeNull()
    expect(keysOf({ round: seenBy(shown, at) })).toBe(ok)
  })

  it('may have signed too late where nobody signed in time', () => {
    expect(keysOf(by(logKey))).toBe(true)
    const late = logged(published, { witnessedAt: ENDS_AT })
    expect(keysOf({ round: late })).toBe(true)
  })

  /** A round with the signatures of one witness more, at these times. */
  function seenBy(shown: PublishedRoundOnWire, at: { book: number; end: number }) {
    const { log } = shown
    if (!log?.end) throw new Error('there is no end')
    const cosigned = (checkpoint: string, time: number) => {
      const { text = '', signatures = [] } = readNote(checkpoint) ?? {}
      return formatNote({ text, signatures: [...signatures, cosign(text, witnessKey, time)] })
    }
    return {
      ...shown,
      log: {
        ...log,
        keys: [...log.keys, formatVerifierKey(witnessKey)],
        checkpoint: cosigned(log.checkpoint, at.book),
        end: { ...log.end, checkpoint: cosigned(log.end.checkpoint, at.end) },
      },
    }
  }

  it('are none of a receipt, which may be anybody’s file', () => {
    const { receipt: file } = ofReceipt(receipt)
    if (!file) throw new Error('there is no receipt')
    const strange = by(second).round
    const input = { round: { ...file.proof, log: strange.log }, receipt: file }
    expect(keysOf({ ...input, published: undefined })).toBeNull()
    expect(keysOf({ ...input, published: round })).toBeNull()
    expect(keysOf(by(logKey))).toBe(true)
    expect(keysOf(by(second))).toBeNull()
  })
})

describe('the player of a receipt', () => {
  it('is compared with the one who is signed in; another’s accuses nobody', () => {
    expect(ownerStep(receipt, undefined)).toBeNull()
    expect(ownerStep(receipt, '7')).toMatchObject({ ok: true })
    expect(ownerStep(receipt, '8')).toMatchObject({ ok: null, computed: '8', published: '7' })
  })

  it('is part of what is signed', () => {
    const proof = { ...receipt.proof, player_id: 8 }
    expect(failed(ofReceipt({ ...receipt, proof }))).toEqual(['receipt-signature'])
  })
})

describe('the line that this device kept when the bet was placed', () => {
  const other = { ...receipt, proof: { ...receipt.proof, leaf: leaves[2] ?? '' } }
  beforeEach(() => {
    vi.stubGlobal('Worker', CheckWorker)
    vi.useFakeTimers({ toFake: ['Date'], now: (ENDS_AT - 1) * 1_000 })
    beginSession(USERINFO)
  })
  afterEach(() => {
    dropSession()
    deviceStorage().clear()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is compared with the one that is shown; the first one stays', async () => {
    expect(keptStep(receipt)).toBeNull()
    vi.setSystemTime(ENDS_AT * 1_000)
    expect(await keepLine(receipt)).toBe('late')
    expect(keptStep(receipt)).toBeNull()
    vi.setSystemTime(ENDS_AT * 1_000 - 1)
    expect(await keepLine(receipt)).toBe('kept')
    expect(await keepLine(other)).toBe('kept')
    expect(keptStep(receipt)).toMatchObject({ ok: true, computed: leaves[1] })
    expect(keptStep(other)).toMatchObject({ ok: false, computed: leaves[1], published: leaves[2] })
    expect(keptStep({ ...receipt, orderNo: 'A9' })).toBeNull()
  })

  it('is one that a trusted key of the log has signed for this bet and this player', async () => {
    const pending = { ...receipt, settled_at: null }
    const with_ = (changes: Partial<Receipt['proof']>): Receipt => ({
      ...pending,
      proof: { ...receipt.proof, ...changes },
    })
    const lineOf = (bet: { leaf?: string; player_id?: number }, key = logKey) =>
      with_({ ...bet, signed: signedReceipt({ ...receipt.proof, ...bet }, key) })
    expect(await keepLine(with_({ log: null }))).toBe('waits')
    const sham = signingKey(logKey.name, 'log', new Uint8Array(32).fill(5))
    const { log } = receipt.proof
    const shamLog = { ...log, ...logged(published, { key: sham }).log } as typeof log
    const bothKeys = log && { ...log, keys: [...log.keys, formatVerifierKey(sham)] }
    const { checkpoint = '' } = log ?? {}
    const [line = ''] = formatNote({
      text: 'x\n',
      signatures: [signNote(readNote(checkpoint)?.text ?? '', sham)],
    })
      .split('\n')
      .slice(-2)
    const signedByBoth = bothKeys && { ...bothKeys, checkpoint: `${checkpoint}${line}\n` }
    for (const refused of [
      with_({ signed: '' }),
      with_({ leaf: leaves[2] ?? '' }),
      with_({ player_id: 8 }),
      lineOf({ leaf: leaves[2] ?? '' }),
      lineOf({ player_id: 8 }),
      lineOf({}, sham),
      ...[shamLog, bothKeys, signedByBoth].map((shown) => {
        const { proof } = lineOf({}, sham)
        return { ...pending, proof: { ...proof, log: shown } }
      }),
    ])
      expect(await keepLine(refused)).toBe('unsigned')
    expect(keptLine('A2')).toBeNull()
    expect(await keepLine(pending)).toBe('kept')
    expect(keptLine('A2')?.leaf).toBe(leaves[1])
  })

  it('is one of the last hundred, and compared with nothing where the device has no room', async () => {
    const lines = Array.from({ length: 101 }, (_, at) => (leaves[1] ?? '').replace('A2', `B${at}`))
    for (const [at, leaf] of lines.entries()) {
      const signed = signedReceipt({ ...receipt.proof, leaf })
      const proof = { ...receipt.proof, ...undrawn, status: 'sealed' as const, leaf, signed }
      await keepLine({ ...receipt, orderNo: `B${at}`, lottery_code: '', proof })
    }
    expect([keptLine('B0'), keptLine('B1')?.leaf]).toEqual([null, lines[1]])
    deviceStorage().clear()
    const full = vi.spyOn(deviceStorage(), 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(await keepLine(receipt)).toBe('waits')
    full.mockRestore()
    expect(keptStep(receipt)).toBeNull()
  })
})

describe('the published data', () => {
  it('contains the round’s commitment, published before the round', () => {
    expect(chainStep(round, [chain]).ok).toBe(true)
    expect(chainStep(round, [{ ...chain, commitment: 'ab'.repeat(32) }]).ok).toBe(false)
    expect(chainStep(round, [{ ...chain, committed_at: ENDS_AT }]).ok).toBe(false)
    expect(chainStep(round, [{ ...chain, game_id: 3 }]).ok).toBe(false)
    expect(chainStep(round, [])).toMatchObject({ ok: false, published: null })
    expect(chainStep(round, [], ENDS_AT * 1_000).ok).toBe(false)
    expect(chainStep(round, [], ENDS_AT * 1_000 - 1).ok).toBeNull()
  })

  it('is compared with a receipt, which may have fewer values but no different ones', () => {
    expect(publicStep(receipt, round).ok).toBe(true)
    const early = { ...receipt, proof: { ...receipt.proof, ...open } }
    expect(publicStep(early, round).ok).toBe(true)
    expect(publicStep(receipt, open).ok).toBe(false)
    expect(publicStep(receipt, null).ok).toBe(false)
    const otherBook = { ...round, book: { ...round.book, root: 'cd'.repeat(32) } }
    expect(publicStep(receipt, otherBook)).toEqual({
      name: 'public',
      ok: false,
      computed: book.root,
      published: 'cd'.repeat(32),
    })
    for (const changed of [
      { ends_at: round.ends_at + 1 },
      { voids_at: round.voids_at + 1 },
      { book: { ...round.book, sealed_at: ENDS_AT } },
      { void: { reason: 'two_persons' as const, voided_at: ENDS_AT - 1, digits: null } },
    ]) {
      const saved = { ...receipt, proof: { ...receipt.proof, ...changed } }
      expect(publicStep(saved, round).ok).toBe(false)
    }
    const otherDigits = publicStep(receipt, { ...round, digits: [0, 0, 0] })
    expect(otherDigits).toMatchObject({ ok: false, computed: digits.join(' '), published: '0 0 0' })
  })
})
