/**
 * Goal: every specified transition of a bet room, and the arithmetic of the stakes.
 * Method: the state's own functions, in order, with instants as arguments; no clock and no browser.
 */

import { MICRO } from '@sum28/domain/money.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PastRound } from '#src/data/rounds/past-round.ts'
import type { Order, PlacedBet } from '#src/screens/room/room-state.ts'
import * as room from '#src/screens/room/room-state.ts'
import type {
  FeedEntry,
  RoomMoney,
  RoomRound,
  RoomUpdate,
  Win,
} from '#src/screens/room/room-update.ts'

const ISSUE = '20261120138'
const LATER_ISSUE = '20261120139'

/** The time by the server, unless a test says otherwise. */
const NOW = 1_795_000_000_000

const received = (state: room.RoomState, update: RoomUpdate, serverTime = NOW) =>
  room.updateReceived(state, update, serverTime)

const empty = () => room.enterRoom({ gameId: 4, roomId: 42, shownRoundIds: new Set() })

type Change = Partial<
  Omit<RoomRound, 'clock'> & Pick<RoomMoney, 'balance'> & Pick<RoomUpdate, 'wins' | 'entries'>
> & {
  bought?: bigint
  seconds?: number
  sentAt?: number
  receivedAt?: number
}

/** A beat at instant 1,000 with 100 s to the seal, by default. The server counts its changes by the instants. */
function beatOf(change: Change = {}) {
  const { roundId = ISSUE, receivedAt = 1_000, seconds = 100 } = change
  const { status = 'runs', sealed = false, lastDraw = null } = change
  const { balance = 1_000n * MICRO, bought = 0n } = change
  const version = BigInt(change.sentAt ?? receivedAt - 20)
  return {
    receivedAt,
    round: {
      version,
      opened: !sealed,
      status,
      roundId,
      sealed,
      bookRoot: null,
      lastDraw,
      clock: { of: roundId, seconds, sampledAt: receivedAt },
      drawClock: { of: roundId, seconds: 0, sampledAt: receivedAt },
    },
    money: { version, balance, bought: { version, roundId, amount: bought } },
    wins: change.wins ?? [],
    entries: change.entries ?? [],
  } satisfies RoomUpdate
}

function entryOf(id: number, change: Partial<FeedEntry> = {}): FeedEntry {
  return {
    id,
    playerId: 7,
    nickname: 'an**y',
    roundId: ISSUE,
    outcomes: ['long', '13'],
    ruleIds: [1, 413],
    stake: 100n * MICRO,
    total: 200n * MICRO,
    robot: false,
    ...change,
  }
}

function entriesOf(first: number, count: number): FeedEntry[] {
  return Array.from({ length: count }, (_, at) => entryOf(first + at))
}

const winOf = (roundId: string, units: bigint): Win => ({
  roundId,
  roundProfit: units * MICRO,
})

const beat = (state: room.RoomState, change: Change) => received(state, beatOf(change))
const open = (change: Change = {}) => beat(empty(), change)
const allIn = (state: room.RoomState) => room.withStake(state, room.allInOf(state), 'en')

describe('a bet room', () => {
  it('accepts bets only while its game runs and the round is not sealed', () => {
    const phase = (change: Change) => room.phaseAt(open(change), 2_000)
    expect(room.phaseAt(empty(), 0)).toBeNull()
    expect(phase({})).toBe('open')
    expect(phase({ sealed: true, seconds: 0 })).toBe('sealed')
    expect(phase({ status: 'closed', sealed: true, seconds: 0 })).toBe('closed')
    expect(phase({ status: 'closed', sealed: false })).toBe('closed')
    expect(phase({ status: 'stopped' })).toBe('stopped')
    expect(phase({ status: 'all-stopped' })).toBe('all-stopped')
  })

  it('is sealed by its countdown, at any time of day and before a beat reports it', () => {
    const state = open({ receivedAt: 50_000, seconds: 10 })
    expect(room.phaseAt(state, 59_999)).toBe('open')
    expect(room.phaseAt(state, 60_000)).toBe('sealed')
  })

  it('opens again with the next round', () => {
    const sealed = open({ sealed: true, seconds: 0 })
    const next = beat(sealed, { roundId: LATER_ISSUE, receivedAt: 40_000 })
    expect(room.phaseAt(next, 41_000)).toBe('open')
    expect(next.round?.roundId).toBe(LATER_ISSUE)
  })

  it('stays sealed after a late beat that was sent before the seal', () => {
    const { round } = beatOf({ sealed: true, seconds: 0, receivedAt: 50_000 })
    const sealed = received(open(), { receivedAt: 50_000, round })
    const late = beatOf({ seconds: 3, sentAt: 46_000, receivedAt: 51_000 })
    const after = received(sealed, late)
    expect(room.phaseAt(after, 51_000)).toBe('sealed')
    expect(after.round).toEqual(sealed.round)
  })

  it('stays sealed by its countdown after a late beat whose seconds count from its arrival', () => {
    const state = open({ receivedAt: 50_000, seconds: 10 })
    expect(room.phaseAt(state, 60_500)).toBe('sealed')
    const late = beatOf({ seconds: 3, sentAt: 57_000, receivedAt: 61_000 })
    expect(room.phaseAt(received(state, late), 61_000)).toBe('sealed')
    const sealed = beat(state, { sealed: true, seconds: 0, receivedAt: 60_000 })
    const unsealed = beat(sealed, { sentAt: 40_000, receivedAt: 61_000 })
    expect(room.phaseAt(unsealed, 61_000)).toBe('sealed')
  })

  it('opens with a round that was reported as sealed only because it had not begun', () => {
    const waiting = open({ sealed: true, seconds: 0 })
    expect(room.phaseAt(waiting, 2_000)).toBe('sealed')
    const begun = beat(waiting, { receivedAt: 2_500 })
    expect(room.phaseAt(begun, 2_500)).toBe('open')
  })

  it('does not go back to the previous round after a late beat', () => {
    const { round } = beatOf({ roundId: LATER_ISSUE, receivedAt: 50_000 })
    const next = received(open(), { receivedAt: 50_000, round })
    const late = beatOf({ sealed: true, seconds: 0, sentAt: 49_000, receivedAt: 51_000 })
    expect(received(next, late).round?.roundId).toBe(LATER_ISSUE)
  })

  it('takes over the witness of its last draw that came late, and reveals nothing again', () => {
    const draw = { roundId: '20261120137', witnessed: false } as PastRound
    const drawn = beat(empty(), { lastDraw: draw })
    const lastDraw = { ...draw, witnessed: true }
    const later = beat(drawn, { receivedAt: 2_000, lastDraw })
    expect([later.lastDraw, later.drawnAt]).toEqual([lastDraw, null])
    const latest = beat(later, { receivedAt: 3_000, lastDraw: draw })
    expect(latest.lastDraw).toBe(lastDraw)
  })

  it('keeps the shown data while beats fail, and recovers with the next one', () => {
    const state = open({ entries: [entryOf(1)] })
    const lost = room.beatFailed(state, new Error('away'))
    expect(lost.feed).toEqual(state.feed)
    expect(lost.balance).toBe(state.balance)
    expect(lost.trouble?.error).toBeInstanceOf(Error)
    expect(room.beatFailed(lost, null).trouble?.error).toBeInstanceOf(Error)
    expect(beat(lost, { receivedAt: 9_000 }).trouble).toBeNull()
  })
})

describe('partial updates', () => {
  it('change only the parts that they contain', () => {
    const state = open({ entries: [entryOf(1)], bought: 5n })
    const { round, money } = beatOf({ roundId: LATER_ISSUE, balance: 7n, bought: 3n })
    const next = received(state, { receivedAt: 2_000, round })
    expect(next.round?.roundId).toBe(LATER_ISSUE)
    // What was staked in the round before is not staked in this one.
    expect(next).toMatchObject({ balance: state.balance, bought: 0n, lastEntryId: 1 })
    expect(next.feed).toBe(state.feed)
    const paid = received(next, { receivedAt: 2_100, money })
    expect(paid).toMatchObject({ balance: 7n, bought: 3n })
    expect(paid.round).toBe(next.round)
    const won = received(paid, { receivedAt: 2_200, wins: [winOf(ISSUE, 3n)] })
    expect([...won.shownRoundIds]).toEqual([ISSUE])
  })

  it('without any part end the trouble', () => {
    const failed = room.beatFailed(open(), null)
    expect(received(failed, { receivedAt: 2_000 }).trouble).toBeNull()
  })
})

describe('the buy panel', () => {
  it('opens while bets are accepted, and otherwise an alert shows the reason', () => {
    expect(room.panelOpened(open(), 2_000).panel.open).toBe(true)
    for (const [change, alert] of [
      [{ sealed: true, seconds: 0 }, 'sealed'],
      [{ status: 'closed' }, 'closed'],
      [{ status: 'stopped' }, 'stopped'],
      [{ status: 'all-stopped' }, 'all-stopped'],
    ] as const) {
      const refused = room.panelOpened(open(change), 2_000)
      expect(refused.panel.open).toBe(false)
      expect(refused.overlay).toEqual({ kind: 'alert', alert })
    }
    expect(room.panelOpened(empty(), 0)).toEqual(empty())
  })

  it('accepts several outcomes, and removes one', () => {
    const chosen = [1, 3, 413].reduce(room.ruleToggled, open())
    expect(chosen.panel.ruleIds).toEqual([1, 3, 413])
    expect(room.ruleToggled(chosen, 3).panel.ruleIds).toEqual([1, 413])
  })

  it('clears the amount when an outcome is toggled', () => {
    const state = room.amountTyped(room.ruleToggled(open(), 1), '100', 'en')
    expect(room.ruleToggled(state, 3).panel.amount).toBe('')
    expect(room.ruleToggled(state, 1).panel.amount).toBe('')
  })

  it('resets selection and amount when the tab changes', () => {
    const state = room.amountTyped(room.ruleToggled(open(), 1), '100', 'en')
    const { panel } = room.tabChosen(state, 'regular')
    expect(panel).toMatchObject({ ruleIds: [], amount: '', stake: null })
  })

  it('keeps selection and amount when it is closed and opened again', () => {
    const state = room.amountTyped(room.ruleToggled(open(), 1), '100', 'en')
    const again = room.panelOpened(room.panelClosed(state), 2_000)
    expect(again.panel).toMatchObject({ open: true, ruleIds: [1], amount: '100' })
  })

  it('adds quick amounts to the amount, so that 50 twice is 100', () => {
    const once = room.quickAmountAdded(room.ruleToggled(open(), 1), 50, 'en')
    const twice = room.quickAmountAdded(once, 50, 'en')
    expect(twice.panel).toMatchObject({ amount: '100', stake: 100n * MICRO })
    const half = room.amountTyped(twice, '0.5', 'en')
    expect(room.quickAmountAdded(half, 5, 'en').panel.amount).toBe('5.50')
    expect(room.quickAmountAdded(half, 5, 'vi').panel.amount).toBe('5,50')
    expect(room.amountCleared(twice).panel.amount).toBe('')
  })

  it('accepts only text that can become an amount with two decimals', () => {
    const typed = (text: string) => room.amountTyped(open(), text, 'en').panel.amount
    const right = ['12', '12.', '12.5', '12,55', '1,284.50', '']
    expect(right.map(typed)).toEqual(right)
    for (const wrong of ['-1', '1e3', '0.234', 'abc', '1.2.3', '12345678901']) {
      expect(typed(wrong)).toBe('')
    }
  })

  it('halves the stake to whole cents, and doubles it', () => {
    const chosen = room.amountTyped(room.ruleToggled(open(), 1), '0.25', 'en')
    expect(room.stakeScaled(chosen, 'half', 'en').panel.stake).toBe((12n * MICRO) / 100n)
    expect(room.stakeScaled(chosen, 'double', 'en').panel.amount).toBe('0.50')
    const cent = room.amountTyped(chosen, '0.01', 'en')
    expect(room.stakeScaled(cent, 'half', 'en').panel).toMatchObject({ amount: '', stake: null })
  })

  it('chooses what an earlier bet had, in place of what was chosen', () => {
    const same = { ruleIds: [1, 413], stake: 35n * MICRO }
    const { panel } = room.chosenAgain(room.ruleToggled(open(), 3), same, 'en')
    expect(panel).toMatchObject({ ...same, amount: '35' })
  })

  it('says by how much an order is short of the minimum, or over balance or payout, and what a limit leaves', () => {
    const cents = (count: bigint) => (count * MICRO) / 100n
    const limits = { stakeMin: cents(100n), balance: cents(500n), payoutMax: cents(900n) }
    const judged = (total: bigint, returns: bigint, limitLeft: bigint | null = null) => {
      const order = { total: cents(total), returns: cents(returns) }
      const left = limitLeft === null ? null : cents(limitLeft)
      return room.orderHindrance(order, { ...limits, limitLeft: left })
    }
    expect(judged(30n, 60n)).toEqual({ because: 'below-minimum', amount: cents(70n) })
    expect(judged(501n, 600n)).toEqual({ because: 'above-balance', amount: cents(1n) })
    expect(judged(500n, 901n)).toEqual({ because: 'above-payout', amount: cents(900n) })
    expect(judged(100n, 900n)).toBeNull()
    expect(judged(500n, 900n)).toBeNull()
    expect(judged(300n, 600n, 299n)).toEqual({ because: 'above-limit', amount: cents(299n) })
    expect(judged(300n, 600n, 300n)).toBeNull()
    // Balances have five decimals, of which two are shown.
    const of = (balance: bigint) =>
      room.orderHindrance(
        { total: 5n * MICRO, returns: 0n },
        { ...limits, balance, limitLeft: null },
      )
    expect(of(5n * MICRO - 10n)?.amount).toBe(cents(1n))
    expect(of(5n * MICRO - cents(1n) - 10n)?.amount).toBe(cents(2n))
  })

  it('puts the balance minus 1 on one outcome when all in, and an equal part on each of many', () => {
    const one = allIn(room.ruleToggled(open(), 1))
    expect(one.panel.amount).toBe('999')
    const three = allIn([1, 3, 413].reduce(room.ruleToggled, open()))
    expect(three.panel.amount).toBe('333')
    expect(allIn(open()).panel.amount).toBe('')
    const poor = room.ruleToggled(open({ balance: MICRO }), 1)
    expect(allIn(poor).panel.amount).toBe('')
  })

  it('never puts more than the balance minus 1 when all in', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.integer({ min: 1, max: 28 }),
        (balance, count) => {
          const rules = Array.from({ length: count }, (_, sum) => 400 + sum)
          const state = allIn(rules.reduce(room.ruleToggled, open({ balance })))
          const order = room.orderInPanel(state)
          const total = (order?.stake ?? 0n) * BigInt(count)
          expect(order === null || total <= balance - MICRO).toBe(true)
        },
      ),
    )
  })

  it('makes an order once there are a round, outcomes and a stake above zero', () => {
    const chosen = room.ruleToggled(room.ruleToggled(open(), 1), 413)
    expect(room.orderInPanel(chosen)).toBeNull()
    for (const nothing of ['', '0', '0.00', '.']) {
      expect(room.orderInPanel(room.amountTyped(chosen, nothing, 'en'))).toBeNull()
    }
    expect(room.orderInPanel(room.amountTyped(open(), '100', 'en'))).toBeNull()
    expect(room.orderInPanel(room.amountTyped(chosen, '100.5', 'en'))).toEqual({
      gameId: 4,
      roomId: 42,
      roundId: ISSUE,
      ruleIds: [1, 413],
      stake: 100_500_000n,
      followedId: null,
    })
  })
})

describe('an accepted order', () => {
  const placed: PlacedBet = {
    orderNo: 'S1',
    entry: entryOf(9, { playerId: 1 }),
    money: { balance: 800n * MICRO, version: 3_000n },
  }
  const order: Order = {
    gameId: 4,
    roomId: 42,
    roundId: ISSUE,
    ruleIds: [1, 413],
    stake: 100n * MICRO,
    followedId: null,
  }
  const before = () =>
    room.amountTyped(
      [1, 413].reduce(room.ruleToggled, room.panelOpened(open({ entries: [entryOf(5)] }), 2_000)),
      '100',
      'en',
    )

  it('closes the panel, clears the selection, appends the entry and updates the money', () => {
    const after = room.betPlaced(before(), placed, order)
    expect(after.panel).toMatchObject({ open: false, ruleIds: [], amount: '', stake: null })
    expect(after.feed.map(({ id }) => id)).toEqual([5, 9])
    expect(after.balance).toBe(800n * MICRO)
    expect(after.bought).toBe(200n * MICRO)
  })

  it.each([
    ['other selections', { ruleIds: [1] }],
    ['another stake', { stake: 99n * MICRO }],
    ['another room', { roomId: 43 }],
    ['a followed bet', { followedId: 5 }],
  ])('of %s leaves what is in the panel', (_, another) => {
    const state = before()
    const after = room.betPlaced(state, placed, { ...order, ...another })
    expect(after.panel).toBe(state.panel)
  })

  it('that follows a bet closes the dialog of that bet, and no other', () => {
    const asked = room.followRequested(before(), entryOf(5), 2_000)
    expect(asked.overlay).toMatchObject({ kind: 'follow' })
    const after = (followedId: number | null) =>
      room.betPlaced(asked, placed, { ...order, followedId }).overlay
    expect(after(5)).toBe(null)
    for (const other of [4, null]) expect(after(other)).toBe(asked.overlay)
  })

  it('is not undone by a beat that was sent before it', () => {
    const after = room.betPlaced(before(), placed, order)
    const stale = beat(after, { sentAt: 2_900, receivedAt: 3_100 })
    expect(stale.balance).toBe(800n * MICRO)
    expect(stale.bought).toBe(200n * MICRO)
    const fresh = beat(after, { sentAt: 3_200, receivedAt: 3_300, balance: 7n })
    expect(fresh.balance).toBe(7n)
  })

  it('is once in the feed, and does not hide earlier bets', () => {
    const after = room.betPlaced(before(), placed, order)
    expect(after.lastEntryId).toBe(5)
    const later = beat(after, { receivedAt: 4_000, entries: entriesOf(6, 5) })
    expect(later.feed.map(({ id }) => id)).toEqual([5, 6, 7, 8, 9, 10])
    expect(later.lastEntryId).toBe(10)
  })

  it('counts once if an update contained it before its own answer', () => {
    const change = { sentAt: 3_000, balance: 800n * MICRO, bought: 200n * MICRO }
    const updateReceived = beat(before(), { ...change, entries: [entryOf(9, { playerId: 1 })] })
    const after = room.betPlaced(updateReceived, placed, order)
    expect(after.bought).toBe(200n * MICRO)
    expect(after.feed.map(({ id }) => id)).toEqual([5, 9])
  })

  it('ends with what the server says, in every order in which replies and reports of two devices come', () => {
    const reply = (version: bigint, units: bigint, id: number) => (state: room.RoomState) =>
      room.betPlaced(
        state,
        {
          orderNo: `S${id}`,
          entry: entryOf(id, { playerId: 1, total: 200n * MICRO }),
          money: { balance: units * MICRO, version },
        },
        order,
      )
    const report = (sentAt: number, balance: bigint, bought: bigint) => (state: room.RoomState) =>
      beat(state, { sentAt, receivedAt: 9_000, balance: balance * MICRO, bought: bought * MICRO })
    // The second of three orders is the other device's: no reply to it comes here.
    const news = [
      ...[reply(3_001n, 800n, 9), reply(3_003n, 500n, 11)],
      ...[report(3_001, 800n, 200n), report(3_002, 700n, 300n), report(3_003, 500n, 500n)],
    ]
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...news, ...news], { minLength: 2 * news.length }),
        (order) => {
          const after = order.reduce((state, each) => each(state), before())
          expect([after.balance, after.bought]).toEqual([500n * MICRO, 500n * MICRO])
          expect(after.feed.map(({ id }) => id)).toEqual([5, 9, 11])
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('of a past round adds nothing to the stakes of this one', () => {
    const next = beat(before(), { roundId: LATER_ISSUE, receivedAt: 2_500 })
    expect(room.betPlaced(next, placed, order).bought).toBe(0n)
  })
})

describe('following', () => {
  it('opens a dialog first, if the entry is of the running round', () => {
    const entry = entryOf(1)
    expect(room.followRequested(open(), entry, 2_000).overlay).toEqual({ kind: 'follow', entry })
    expect(room.orderFollowing(open(), entry, 55n * MICRO)).toEqual({
      gameId: 4,
      roomId: 42,
      roundId: ISSUE,
      ruleIds: [1, 413],
      stake: 55n * MICRO,
      followedId: 1,
    })
  })

  it('of another round ends in an alert', () => {
    const entry = entryOf(1, { roundId: '20261120137' })
    const state = room.followRequested(open(), entry, 2_000)
    expect(state.overlay).toEqual({ kind: 'alert', alert: 'wrong-round' })
  })

  it('while no bets are accepted ends in an alert, even for the running round', () => {
    const sealed = open({ sealed: true, seconds: 0 })
    expect(room.followRequested(sealed, entryOf(1), 2_000).overlay).toEqual({
      kind: 'alert',
      alert: 'sealed',
    })
    const closed = open({ status: 'closed' })
    expect(room.followRequested(closed, entryOf(1), 2_000).overlay).toEqual({
      kind: 'alert',
      alert: 'closed',
    })
  })

  it('is refused when the round ends while the dialog is open', () => {
    const requested = room.followRequested(open(), entryOf(1), 2_000)
    expect(room.followHindrance(requested, entryOf(1), 2_000)).toBeNull()
    expect(room.followHindrance(requested, entryOf(1), 101_000)).toBe('sealed')
    const next = beat(requested, { roundId: LATER_ISSUE, receivedAt: 130_000 })
    expect(room.followHindrance(next, entryOf(1), 131_000)).toBe('wrong-round')
    expect(room.overlayClosed(next).overlay).toBeNull()
  })
})

describe('the feed', () => {
  it('holds at most 300 entries and drops the oldest 30 when exceeded', () => {
    const full = open({ entries: entriesOf(1, 300) })
    expect(full.feed).toHaveLength(300)
    const over = beat(full, { receivedAt: 3_000, entries: [entryOf(301)] })
    expect(over.feed).toHaveLength(271)
    expect(over.feed[0]?.id).toBe(31)
    expect(over.feed.at(-1)?.id).toBe(301)
  })

  it('never contains more than 300, for any updates', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 8 }), (batches) => {
        let state = empty()
        let next = 1
        for (const count of batches) {
          state = beat(state, { entries: entriesOf(next, count) })
          next += count
          expect(state.feed.length).toBeLessThanOrEqual(room.FEED_MAX)
          expect(state.feed.at(-1)?.id ?? 0).toBe(next - 1)
        }
      }),
    )
  })

  it('shows each entry once, however often it is received', () => {
    const state = open({ entries: entriesOf(1, 3) })
    const again = beat(state, { receivedAt: 3_000, entries: entriesOf(2, 3) })
    expect(again.feed.map(({ id }) => id)).toEqual([1, 2, 3, 4])
  })

  it('hides nicknames with Chinese characters, and does not request them again', () => {
    const state = open({ entries: [entryOf(1), entryOf(2, { nickname: '好**运' })] })
    expect(state.feed.map(({ id }) => id)).toEqual([1])
    expect(state.lastEntryId).toBe(2)
    for (const nickname of ['ひ**ら', 'ngu**ễn', 'robot 7']) {
      expect(room.isHidden(entryOf(1, { nickname }))).toBe(false)
    }
  })

  it('requests the latest entries first, and then those after the last received one', () => {
    expect(empty().lastEntryId).toBeNull()
    expect(open().lastEntryId).toBe(0)
    const state = open({ entries: entriesOf(1, 3) })
    expect(beat(state, { receivedAt: 3_000 }).lastEntryId).toBe(3)
  })

  it('does not bring dropped entries back after a late answer', () => {
    const full = open({ entries: entriesOf(1, 300) })
    const over = received(full, { receivedAt: 3_000, entries: [entryOf(301)] })
    const late = beat(over, { receivedAt: 3_100, entries: entriesOf(1, 40) })
    expect(late.feed[0]?.id).toBe(31)
    expect(late.feed).toHaveLength(271)
  })

  it('lets single entries slide in, but not the first ones of the room', () => {
    const entered = received(empty(), { receivedAt: 1_000, entries: entriesOf(1, 3) })
    expect(entered.slidesAfter).toBe(3)
    const calm = received(entered, { receivedAt: 2_000, entries: entriesOf(4, 2) })
    expect(calm.slidesAfter).toBe(3)
    const hasty = received(calm, { receivedAt: 2_100, entries: [entryOf(6)] })
    expect(hasty.slidesAfter).toBe(6)
    const nothing = received(hasty, { receivedAt: 5_000, entries: [] })
    expect(received(nothing, { receivedAt: 5_100, entries: [entryOf(7)] }).slidesAfter).toBe(6)
  })

  it('counts entries that come while the player reads older ones', () => {
    const scrolled = room.feedScrolled(open({ entries: [entryOf(1)] }), { atNewest: false })
    const more = beat(scrolled, { receivedAt: 3_000, entries: entriesOf(2, 3) })
    expect(more.unread).toBe(3)
    expect(room.feedScrolled(more, { atNewest: true })).toMatchObject({ atNewest: true, unread: 0 })
  })
})

describe('winning notices', () => {
  const issuesOf = (state: room.RoomState) => [...state.shownRoundIds]

  it('are collected once for a round, with the profit of the whole round', () => {
    const wins = [winOf(ISSUE, 100n), winOf(ISSUE, 100n)]
    const state = open({ wins })
    expect(issuesOf(state)).toEqual([ISSUE])
    const again = beat(state, { receivedAt: 3_000, wins })
    expect(again.shownRoundIds).toBe(state.shownRoundIds)
  })

  it('are only about rounds with a profit', () => {
    const state = open({ wins: [winOf(ISSUE, 0n), winOf(LATER_ISSUE, -4n)] })
    expect(issuesOf(state)).toEqual([])
    const next = beat(state, { wins: [winOf(ISSUE, 5n)] })
    expect(issuesOf(next)).toEqual([ISSUE])
  })

  it('are not repeated for rounds whose win was shown before the room was entered', () => {
    const entered = room.enterRoom({ gameId: 4, roomId: 42, shownRoundIds: new Set([ISSUE]) })
    const next = beat(entered, { wins: [winOf(ISSUE, 5n)] })
    expect(next.shownRoundIds).toBe(entered.shownRoundIds)
  })
})

describe('a draw', () => {
  const drawOf = (roundId: string) =>
    ({ roundId, digits: [1, 2, 3], drawnAt: NOW - 1_000 }) as unknown as PastRound

  it('is revealed when it comes, and not when it was there before', () => {
    const entered = open({ lastDraw: drawOf('20261120041') })
    expect(entered.drawnAt).toBeNull()
    const { round } = beatOf({ roundId: LATER_ISSUE, lastDraw: drawOf(ISSUE), receivedAt: 50_000 })
    const drawn = received(entered, { receivedAt: 50_000, round })
    expect(drawn.drawnAt).toBe(50_000)
    const again = beatOf({ roundId: LATER_ISSUE, lastDraw: drawOf(ISSUE), receivedAt: 52_000 })
    expect(received(drawn, again)).toMatchObject({ drawnAt: 50_000 })
  })

  it('is not revealed if it was made long before it came, as while the phone slept', () => {
    const entered = open({ lastDraw: drawOf('20261120041') })
    const woken = beatOf({ roundId: LATER_ISSUE, lastDraw: drawOf(ISSUE), receivedAt: 50_000 })
    const drawn = received(entered, woken, NOW + 120_000)
    expect(drawn).toMatchObject({ lastDraw: { roundId: ISSUE }, drawnAt: null })
  })
})
