import { describe, expect, it } from 'vitest'
import { type Call, type DatabaseState, judge, type Outcome } from './history.ts'

const accepted = (betId: number, cashAfter: bigint): Outcome => ({
  kind: 'accepted',
  betId,
  cashAfter,
})

/** An order of player 1 that took a second, starting at the given second. */
function order(second: number, key: string, outcome: Outcome): Call {
  const at = second * 1_000
  return { kind: 'order', player: 1, key, api: '', from: at, until: at + 1_000, outcome }
}

function read(second: number, micro: bigint): Call {
  const at = second * 1_000
  const outcome: Outcome = { kind: 'read', micro }
  return { kind: 'balance', player: 1, key: null, api: '', from: at, until: at + 1_000, outcome }
}

function counted(second: number, bets: number): Call {
  return { ...read(second, 0n), kind: 'history', outcome: { kind: 'counted', bets } }
}

/** Player 1 had 10, bet 3 twice, and won 5 between the two, at the seconds 1, 4 and 6. */
const KEPT: DatabaseState = {
  bets: [
    { id: 7, player: 1, at: 1_500, cashAfter: 7n },
    { id: 8, player: 1, at: 6_500, cashAfter: 9n },
  ],
  keys: [
    { player: 1, key: 'a', betId: 7 },
    { player: 1, key: 'b', betId: 8 },
  ],
  postings: [
    { player: 1, at: 0, cashAfter: 10n, betId: null },
    { player: 1, at: 1_500, cashAfter: 7n, betId: 7 },
    { player: 1, at: 4_500, cashAfter: 12n, betId: null },
    { player: 1, at: 6_500, cashAfter: 9n, betId: 8 },
  ],
}

const kindsOf = (calls: readonly Call[], kept = KEPT) => judge(calls, kept).map(({ kind }) => kind)

describe('the check of a history', () => {
  it('finds nothing if every reply fits', () => {
    const calls = [
      read(0, 10n),
      order(1, 'a', { kind: 'none', why: 'time-out' }),
      order(2, 'a', accepted(7, 7n)),
      read(4, 12n),
      read(5, 12n),
      order(6, 'b', accepted(8, 9n)),
      order(7, 'b', accepted(8, 9n)),
      order(8, 'c', { kind: 'refused', reason: 'round_sealed' }),
      read(9, 9n),
      counted(10, 2),
    ]
    expect(judge(calls, KEPT)).toEqual([])
  })

  it('finds an accepted order that is missing or differs', () => {
    expect(kindsOf([order(1, 'a', accepted(6, 7n))])).toEqual(['lost'])
    expect(kindsOf([order(1, 'a', accepted(8, 9n))])).toEqual(['lost'])
    expect(kindsOf([order(1, 'a', accepted(7, 8n))])).toEqual(['lost'])
  })

  it('finds a bet without a key', () => {
    const bets = [...KEPT.bets, { id: 9, player: 1, at: 7_000, cashAfter: 6n }]
    expect(kindsOf([], { ...KEPT, bets })).toEqual(['twice'])
  })

  it('finds a key with two different answers, or a refusal although the bet exists', () => {
    const no: Outcome = { kind: 'refused', reason: 'round_sealed' }
    expect(kindsOf([order(1, 'a', accepted(7, 7n)), order(2, 'a', no)])).toEqual([
      'contradiction',
      'contradiction',
    ])
    expect(kindsOf([order(1, 'b', no)])).toEqual(['contradiction'])
  })

  it('finds a refusal that does not follow from the calendar', () => {
    const no: Outcome = { kind: 'refused', reason: 'session_unknown' }
    expect(kindsOf([order(1, 'd', no)])).toEqual(['contradiction'])
  })

  it('finds betting that was stopped though no engine was away, or not for long', () => {
    const stopped = [order(40, 'd', { kind: 'refused', reason: 'games_stopped' })]
    const found = (from: number, backAt: number) =>
      judge(stopped, KEPT, [{ from: from * 1_000, backAt: backAt * 1_000 }]).length
    expect([found(10, 60), found(30, 60), found(1, 39)]).toEqual([0, 1, 1])
    expect(kindsOf(stopped)).toEqual(['contradiction'])
  })

  it('finds a balance that was read too late, too early, or never existed', () => {
    expect(kindsOf([order(1, 'a', accepted(7, 7n)), read(3, 10n)])).toEqual(['balance'])
    expect(kindsOf([read(2, 12n)])).toEqual(['balance'])
    expect(kindsOf([read(4, 12n), read(5, 7n)])).toEqual(['balance'])
    expect(kindsOf([read(9, 8n)])).toEqual(['balance'])
  })

  it('finds a history that lacks a bet its player knew of, goes back, or has one too many', () => {
    expect(kindsOf([order(1, 'a', accepted(7, 7n)), counted(3, 1)])).toEqual([])
    expect(kindsOf([order(1, 'a', accepted(7, 7n)), counted(3, 0)])).toEqual(['history'])
    expect(kindsOf([counted(3, 2)])).toEqual(['history'])
    expect(kindsOf([counted(7, 2), counted(9, 1)])).toEqual(['history'])
  })
})
