/**
 * A bet room as one plain state. What comes from the server and what the player does are functions
 * from a state to the next one; nothing here asks, waits, draws or knows what time it is. Instants
 * are of the browser's monotonic clock (`performance.now()`) and are handed in.
 */
import { type Amount, MICRO } from '@sum28/domain/money.ts'
import type { RuleId } from '@sum28/domain/outcomes.ts'
import { allInStake } from '@sum28/domain/payout.ts'
import { earlierEnd, endOf } from '@sum28/ui/countdown.ts'
import type { PlacedBet } from '#src/data/bets.ts'
import type { Draw } from '#src/data/draw.ts'
import type { FeedEntry } from '#src/data/feed.ts'
import type { GameStatus } from '#src/data/game-status.ts'
import type { Order } from '#src/data/order-attempt.ts'
import type { News, RoomMoney, RoomRound, Win } from '#src/data/room-news.ts'
import { readTypedAmount, typedForm, typedSoFar } from '#src/data/typed-amount.ts'

/** The feed holds at most so many entries, and gives up so many at once when it is over that. */
export const FEED_MAX = 300
const FEED_TRIM = 30

/** Entries that come sooner than this after others just stand there. */
const HEELS_MS = 500

/** The panel's tabs; there is one way to play so far. */
export type PanelTab = 'regular'

/** Why betting is not possible now, or that it is; `unknown` before the first news. */
export type Phase = 'unknown' | 'open' | 'sealed' | Exclude<GameStatus, 'runs'>

/** What an alert says. */
export type Alert = Exclude<Phase, 'open'> | 'wrong-round'

export type Overlay =
  | { readonly kind: 'follow'; readonly entry: FeedEntry }
  | { readonly kind: 'alert'; readonly alert: Alert }

type RunningRound = Omit<RoomRound, 'lastDraw'> & {
  /** Whether bets were taken in it at any time: before that it is told as sealed, too. */
  readonly opened: boolean
}

export type RoomState = {
  readonly gameId: number
  readonly roomId: number
  /** The running round as last heard; null before the first news. */
  readonly round: RunningRound | null
  /** When the round above was so at the earliest: what was asked before is older news. */
  readonly roundAt: number
  readonly lastDraw: Draw | null
  /** Null before the first news. */
  readonly balance: Amount | null
  /** Staked by this player in this round. */
  readonly bought: Amount
  /** When the money above was true at the earliest: what was asked before is older news. */
  readonly moneyAt: number
  /** Oldest first; without entries whose nickname has Chinese characters. */
  readonly feed: readonly FeedEntry[]
  /** The last entry that news brought; own bets do not count, as others may lie before them. */
  readonly heardId: number | null
  /**
   * Entries behind this one may slide in. Not those of the room as it was entered, nor those that
   * come one on the heels of another: where all moves all the time, nothing can be read.
   */
  readonly slidesAfter: number | null
  /** When entries last came. */
  readonly entriesAt: number
  /** Whether the feed shows its newest entry; false once the player has scrolled up. */
  readonly atNewest: boolean
  /** Entries that came while the player was reading older ones. */
  readonly unread: number
  /** Set while beats fail: the reason, or null in it when they are only late. */
  readonly trouble: { readonly error: unknown } | null
  readonly panel: {
    readonly open: boolean
    readonly tab: PanelTab
    /** In the order in which they were chosen. */
    readonly ruleIds: readonly RuleId[]
    /** The stake on each selection, as typed. */
    readonly amount: string
    /** What that comes to in the language in which it was typed; null where it is no amount. */
    readonly stake: Amount | null
  }
  readonly overlay: Overlay | null
  /** Wins to tell of, one for each round, oldest first. */
  readonly wins: readonly Win[]
  /** Rounds whose win was collected. */
  readonly noticedIssues: ReadonlySet<string>
}

/** What the panel is about. */
export type PanelRoom = Pick<RoomState, 'gameId' | 'roomId' | 'round' | 'balance' | 'panel'>

const NO_AMOUNT = { amount: '', stake: null } as const

/** A room that has heard nothing yet. `noticedIssues`: rounds whose win was told before. */
export function enterRoom(entered: {
  gameId: number
  roomId: number
  noticedIssues: ReadonlySet<string>
}): RoomState {
  return {
    ...entered,
    round: null,
    roundAt: 0,
    lastDraw: null,
    balance: null,
    bought: 0n,
    moneyAt: 0,
    feed: [],
    heardId: null,
    slidesAfter: null,
    entriesAt: Number.NEGATIVE_INFINITY,
    atNewest: true,
    unread: 0,
    trouble: null,
    panel: { open: false, tab: 'regular', ruleIds: [], ...NO_AMOUNT },
    overlay: null,
    wins: [],
  }
}

/**
 * Whether bets can be placed at an instant. The seal is taken as fallen when the countdown is over,
 * even before the server has said so: the other way round a bet would be refused.
 */
export function phaseAt({ round }: Pick<RoomState, 'round'>, now: number): Phase {
  if (!round) return 'unknown'
  if (round.status !== 'runs') return round.status
  return round.sealed || now >= endOf(round.clock) ? 'sealed' : 'open'
}

// What comes from the server

/** Takes in what was told, by the stream or by a beat. */
export function heard(state: RoomState, news: News): RoomState {
  const { round, money, wins, entries, asOf } = news
  let next: RoomState = state.trouble ? { ...state, trouble: null } : state
  if (round) next = roundHeard(next, round, asOf)
  if (money) next = moneyHeard(next, money, asOf)
  if (entries) next = entriesHeard(next, entries, asOf)
  return wins ? collectWins(next, wins) : next
}

/**
 * Takes in the round, unless what was told since is newer than the answer. Once a round was open its
 * seal is never undone, and the seal's instant never moves back: an answer that was long on its way
 * counts its seconds from too late an instant.
 */
function roundHeard(state: RoomState, told: RoomRound, asOf: number): RoomState {
  if (asOf < state.roundAt) return state
  const { lastDraw, ...heardRound } = told
  const same = state.round?.issue === heardRound.issue && state.round.opened
  const before = same ? state.round : null
  const round = {
    ...heardRound,
    opened: before !== null || !heardRound.sealed,
    sealed: heardRound.sealed || (before?.sealed ?? false),
    clock: before ? earlierEnd(before.clock, heardRound.clock) : heardRound.clock,
  }
  const sameDraw = lastDraw?.issue === state.lastDraw?.issue
  return { ...state, round, roundAt: asOf, lastDraw: sameDraw ? state.lastDraw : lastDraw }
}

/** Money that was asked for before an order was answered is older than the order. */
function moneyHeard(state: RoomState, { balance, bought }: RoomMoney, asOf: number): RoomState {
  return asOf < state.moneyAt ? state : { ...state, balance, bought, moneyAt: asOf }
}

/**
 * Takes in the entries behind those that were heard. One that was heard before is passed over, also
 * when the feed has dropped it since: a late answer brings nothing back.
 */
function entriesHeard(state: RoomState, entries: readonly FeedEntry[], asOf: number): RoomState {
  const heardId = state.heardId ?? 0
  const fresh = entries.filter(({ id }) => id > heardId)
  const newest = fresh.at(-1)?.id ?? heardId
  if (fresh.length === 0 && state.heardId !== null) return state
  const calm = state.slidesAfter !== null && asOf - state.entriesAt >= HEELS_MS
  return {
    ...appendEntries(state, fresh),
    heardId: newest,
    slidesAfter: calm ? heardId : newest,
    entriesAt: asOf,
  }
}

/** A beat is late (`error` null) or failed. What is shown stays. */
export function notHeard(state: RoomState, error: unknown): RoomState {
  return { ...state, trouble: { error: error ?? state.trouble?.error ?? null } }
}

/** An order was accepted: the panel closes, the selection clears, entry and balance are taken in. */
export function betPlaced(state: RoomState, placed: PlacedBet, now: number): RoomState {
  const sameRound = placed.entry.issue === state.round?.issue
  // News may have told of it before its own answer did.
  const known = placed.balance !== null && placed.balance === state.balance
  return {
    ...appendEntries(state, [placed.entry]),
    balance: placed.balance ?? state.balance,
    bought: sameRound && !known ? state.bought + placed.entry.total : state.bought,
    moneyAt: now,
    panel: { ...state.panel, open: false, ruleIds: [], ...NO_AMOUNT },
    overlay: null,
  }
}

// What the player does

export function panelOpened(state: RoomState, now: number): RoomState {
  const phase = phaseAt(state, now)
  if (phase !== 'open') return alerted(state, phase)
  return { ...state, panel: { ...state.panel, open: true } }
}

export function panelClosed(state: RoomState): RoomState {
  return { ...state, panel: { ...state.panel, open: false } }
}

/** Another way to play begins with nothing chosen. */
export function tabChosen(state: RoomState, tab: PanelTab): RoomState {
  return { ...state, panel: { ...state.panel, tab, ruleIds: [], ...NO_AMOUNT } }
}

/**
 * Chooses an outcome or takes it back. The amount is on each of the chosen ones, so it is given
 * anew: no total grows unseen.
 */
export function ruleToggled(state: RoomState, ruleId: RuleId): RoomState {
  const { ruleIds } = state.panel
  const next = ruleIds.includes(ruleId)
    ? ruleIds.filter((chosen) => chosen !== ruleId)
    : [...ruleIds, ruleId]
  return { ...state, panel: { ...state.panel, ruleIds: next, ...NO_AMOUNT } }
}

/**
 * Takes what was typed, where it can still become an amount with two decimals.
 *
 * @param tag the language in which it is typed, as wherever amounts are written
 */
export function amountTyped(state: RoomState, typed: string, tag: string): RoomState {
  const amount = typedSoFar(typed, { tag })
  if (amount === null) return state
  const read = readTypedAmount(amount, { tag })
  const stake = read.ok && read.amount > 0n ? read.amount : null
  return { ...state, panel: { ...state.panel, amount, stake } }
}

/** A quick amount adds to what there is. */
export function quickAmountAdded(state: RoomState, units: number, tag: string): RoomState {
  return withStake(state, (state.panel.stake ?? 0n) + BigInt(units) * MICRO, tag)
}

export function amountCleared(state: RoomState): RoomState {
  return { ...state, panel: { ...state.panel, ...NO_AMOUNT } }
}

/** What 'all in' would put on each selection; 0 where there is nothing to put or to put it on. */
export function allInOf(state: Pick<RoomState, 'balance' | 'panel'>): Amount {
  return allInStake({ balance: state.balance ?? 0n, selections: state.panel.ruleIds.length })
}

export function wentAllIn(state: RoomState, tag: string): RoomState {
  return withStake(state, allInOf(state), tag)
}

/** Following needs an open room and an entry of the running round. */
export function followAsked(state: RoomState, entry: FeedEntry, now: number): RoomState {
  const hindrance = followHindrance(state, entry, now)
  if (hindrance) return alerted(state, hindrance)
  return { ...state, overlay: { kind: 'follow', entry } }
}

/** Why an entry cannot be followed at an instant, or null. Asked again when it is confirmed. */
export function followHindrance(state: RoomState, entry: FeedEntry, now: number): Alert | null {
  const phase = phaseAt(state, now)
  if (phase !== 'open') return phase
  return entry.issue === state.round?.issue ? null : 'wrong-round'
}

export function alerted(state: RoomState, alert: Alert): RoomState {
  return { ...state, overlay: { kind: 'alert', alert } }
}

export function overlayClosed(state: RoomState): RoomState {
  return { ...state, overlay: null }
}

/** The player scrolled the feed, to its newest entry or away from it. */
export function feedScrolled(state: RoomState, { atNewest }: { atNewest: boolean }): RoomState {
  if (atNewest === state.atNewest) return state
  return { ...state, atNewest, unread: 0 }
}

export function winDismissed(state: RoomState): RoomState {
  return { ...state, wins: state.wins.slice(1) }
}

// What can be read off

/** The bet in the panel, or null while it has no selection, no stake or no round. */
export function orderInPanel(state: PanelRoom): Order | null {
  const { stake } = state.panel
  const issue = state.round?.issue
  if (!stake || !issue || state.panel.ruleIds.length === 0) return null
  const { gameId, roomId } = state
  return { gameId, roomId, issue, ruleIds: state.panel.ruleIds, stake, followedId: null }
}

/** The same bet as an entry of the feed. */
export function orderFollowing({ gameId, roomId }: RoomState, entry: FeedEntry): Order {
  const { issue, ruleIds, stake, id } = entry
  return { gameId, roomId, issue, ruleIds, stake, followedId: id }
}

/** Nicknames with Chinese characters are not shown. */
export function isHidden(entry: FeedEntry): boolean {
  return /\p{Script=Han}/u.test(entry.nickname)
}

function withStake(state: RoomState, stake: Amount, tag: string): RoomState {
  const amount = typedForm(stake, tag)
  return { ...state, panel: { ...state.panel, amount, stake: stake > 0n ? stake : null } }
}

function appendEntries(state: RoomState, entries: readonly FeedEntry[]): RoomState {
  const known = new Set(state.feed.map(({ id }) => id))
  const fresh = entries.filter((entry) => !known.has(entry.id) && !isHidden(entry))
  if (fresh.length === 0) return state
  let feed = [...state.feed, ...fresh].sort((one, other) => one.id - other.id)
  while (feed.length > FEED_MAX) feed = feed.slice(FEED_TRIM)
  return { ...state, feed, unread: state.atNewest ? 0 : state.unread + fresh.length }
}

/**
 * One notice a round, of what the round as a whole came to: where other bets in it lost as much as
 * one has won, there is nothing to celebrate.
 */
function collectWins(state: RoomState, hits: readonly Win[]): RoomState {
  const fresh = hits.filter((hit) => hit.roundProfit > 0n && !state.noticedIssues.has(hit.issue))
  if (fresh.length === 0) return state
  const byIssue = new Map(fresh.map((hit) => [hit.issue, hit]))
  const wins = [...byIssue.values()].sort((one, other) => one.issue.localeCompare(other.issue))
  const noticedIssues = new Set([...state.noticedIssues, ...wins.map(({ issue }) => issue)])
  return { ...state, wins: [...state.wins, ...wins], noticedIssues }
}
