/**
 * A bet room as plain state. Updates of the server and actions of the player are pure functions from a
 * state to the next one. Instants are of the browser's monotonic clock (`performance.now()`) and
 * are passed in.
 */
import { compareIssues } from '@sum28/domain/issues.ts'
import { type Amount, MICRO } from '@sum28/domain/money.ts'
import type { RuleId } from '@sum28/domain/outcomes.ts'
import { allInStake } from '@sum28/domain/payout.ts'
import { laterOf, type Versioned } from '#src/data/live/later.ts'
import { type GameStatus, laterRound, REVEALED_FOR_MS } from '#src/data/live/running-round.ts'
import type { Money } from '#src/data/money.ts'
import { type PastRound, withWitness } from '#src/data/rounds/past-round.ts'
import { readTypedAmount, typedForm, typedSoFar } from '#src/data/typed-amount.ts'
import { endOf } from '#src/parts/countdown.ts'
import type {
  Bought,
  FeedEntry,
  RoomMoney,
  RoomRound,
  RoomUpdate,
  Win,
} from '#src/screens/room/room-update.ts'

export type Order = {
  readonly gameId: number
  readonly roomId: number
  readonly roundId: string
  readonly ruleIds: readonly RuleId[]
  /** On each selection. */
  readonly stake: Amount
  /** The feed entry that is followed, or null. */
  readonly followedId: number | null
  /** Of the odds that the player was shown. */
  readonly rulesVersion?: number | undefined
}

export type PlacedBet = {
  readonly orderNo: string
  readonly entry: FeedEntry
  /** After the stake was taken. */
  readonly money: Money
}

/** The greatest number of feed entries, and how many are dropped at once beyond it. */
export const FEED_MAX = 300
const FEED_TRIM = 30

/** Entries that come sooner than this after others are shown without animation. */
const SLIDE_REST_MS = 500

export type PanelTab = 'regular'

/** Whether bets are accepted now, or why not. */
export type Phase = 'open' | 'sealed' | Exclude<GameStatus, 'runs'>

export type Alert = Exclude<Phase, 'open'> | 'wrong-round'

export type Overlay =
  | { readonly kind: 'follow'; readonly entry: FeedEntry }
  | { readonly kind: 'alert'; readonly alert: Alert }

export type RoomState = {
  readonly gameId: number
  readonly roomId: number
  /** The running round; null before the first update. */
  readonly round: RoomRound | null
  readonly lastDraw: PastRound | null
  /** When the last draw came, if it was made while the room was shown: it is revealed from then on. */
  readonly drawnAt: number | null
  /** Null before the first update. */
  readonly balance: Amount | null
  /** Of the balance. */
  readonly moneyVersion: bigint
  /** Staked by this player in this round. */
  readonly bought: Amount
  /** What is known to be staked, and in which round; null before the first update. */
  readonly staked: Bought | null
  /** Oldest first; without entries whose nickname has Chinese characters. */
  readonly feed: readonly FeedEntry[]
  /** The last entry of an update; not an own bet, because unknown entries may precede it. */
  readonly lastEntryId: number | null
  /**
   * Entries after this one slide in. Those before the room was entered do not, nor do those that
   * come soon after others, because constant movement cannot be read.
   */
  readonly slidesAfter: number | null
  /** When the last entries came. */
  readonly entriesAt: number
  /** Whether the feed shows its newest entry; false once the player has scrolled up. */
  readonly atNewest: boolean
  /** Entries that came while the player was reading older ones. */
  readonly unread: number
  /** Set while beats fail: the error, or null if they are only late. */
  readonly trouble: { readonly error: unknown } | null
  readonly panel: {
    readonly open: boolean
    readonly tab: PanelTab
    /** In the order in which they were chosen. */
    readonly ruleIds: readonly RuleId[]
    /** The stake on each selection, as typed. */
    readonly amount: string
    /** The typed stake read in the language in which it was typed; null if it is no amount. */
    readonly stake: Amount | null
  }
  readonly overlay: Overlay | null
  /** Rounds whose win was collected: once for each, however often it is sent. */
  readonly shownRoundIds: ReadonlySet<string>
}

/** The selections of an earlier bet, and its stake on each. */
export type SameBet = { readonly ruleIds: readonly RuleId[]; readonly stake: Amount }

export type PanelRoom = Pick<RoomState, 'gameId' | 'roomId' | 'round' | 'panel'>

const NO_AMOUNT = { amount: '', stake: null } as const

/** A room before its first update. `shownRoundIds`: rounds whose win was shown before. */
export function enterRoom(entered: {
  gameId: number
  roomId: number
  shownRoundIds: ReadonlySet<string>
}): RoomState {
  return {
    ...entered,
    round: null,
    lastDraw: null,
    drawnAt: null,
    balance: null,
    moneyVersion: -1n,
    bought: 0n,
    staked: null,
    feed: [],
    lastEntryId: null,
    slidesAfter: null,
    entriesAt: Number.NEGATIVE_INFINITY,
    atNewest: true,
    unread: 0,
    trouble: null,
    panel: { open: false, tab: 'regular', ruleIds: [], ...NO_AMOUNT },
    overlay: null,
  }
}

/**
 * Whether bets can be placed at an instant; null before the first update. The round counts as sealed when the countdown is over,
 * even before the server says so, because a bet would be refused.
 */
export function phaseAt({ round }: Pick<RoomState, 'round'>, now: number): Phase | null {
  if (!round) return null
  if (round.status !== 'runs') return round.status
  return round.sealed || now >= endOf(round.clock) ? 'sealed' : 'open'
}

// Updates from the server

/** @param serverTime when it was received, in milliseconds since 1970 by the server */
export function updateReceived(
  state: RoomState,
  update: RoomUpdate,
  serverTime: number,
): RoomState {
  const { round, money, wins, entries, receivedAt } = update
  let next: RoomState = state.trouble ? { ...state, trouble: null } : state
  if (round) next = roundReceived(next, round, { receivedAt, serverTime })
  if (money) next = moneyReceived(next, money)
  if (entries) next = entriesReceived(next, entries, receivedAt)
  return wins ? collectWins(next, wins) : next
}

function roundReceived(
  state: RoomState,
  received: RoomRound,
  { receivedAt, serverTime }: { receivedAt: number; serverTime: number },
): RoomState {
  const round = laterRound(state.round, received)
  if (round === state.round) return state
  const { lastDraw } = round
  const known = state.lastDraw
  if (known?.roundId === lastDraw?.roundId) {
    return withBought({
      ...state,
      round,
      lastDraw: known && lastDraw && withWitness(known, lastDraw),
    })
  }
  // What was drawn before the room was entered, or while the page was away, is not revealed.
  const isNew = state.round && lastDraw && serverTime - lastDraw.drawnAt < REVEALED_FOR_MS
  return withBought({ ...state, round, lastDraw, drawnAt: isNew ? receivedAt : null })
}

function moneyReceived(state: RoomState, money: Money | RoomMoney): RoomState {
  const known = { version: state.moneyVersion, balance: state.balance }
  const { balance, version } = laterOf<Versioned & Pick<RoomState, 'balance'>>(known, money)
  const next = { ...state, balance, moneyVersion: version }
  return 'bought' in money ? stakedReceived(next, money.bought) : next
}

/** A stake belongs to its round: that of a later round is later, whatever its version. */
function stakedReceived(state: RoomState, received: Bought): RoomState {
  const known = state.staked
  const order = known && compareIssues(received.roundId, known.roundId)
  const staked = order ? (order > 0 ? received : known) : laterOf(known, received)
  return withBought({ ...state, staked })
}

function withBought(state: RoomState): RoomState {
  const { staked, round } = state
  return { ...state, bought: staked && staked.roundId === round?.roundId ? staked.amount : 0n }
}

/**
 * Adds the new entries. An entry that was known before is ignored, even if the feed has dropped it,
 * so that a late answer brings nothing back.
 */
function entriesReceived(
  state: RoomState,
  entries: readonly FeedEntry[],
  receivedAt: number,
): RoomState {
  const lastEntryId = state.lastEntryId ?? 0
  const fresh = entries.filter(({ id }) => id > lastEntryId)
  const newest = fresh.at(-1)?.id ?? lastEntryId
  if (fresh.length === 0 && state.lastEntryId !== null) return state
  const calm = state.slidesAfter !== null && receivedAt - state.entriesAt >= SLIDE_REST_MS
  return {
    ...appendEntries(state, fresh),
    lastEntryId: newest,
    slidesAfter: calm ? lastEntryId : newest,
    entriesAt: receivedAt,
  }
}

/** A beat is late (`error` null) or failed. The shown data stays. */
export function beatFailed(state: RoomState, error: unknown): RoomState {
  return { ...state, trouble: { error: error ?? state.trouble?.error ?? null } }
}

/**
 * An order was accepted: closes what it was sent from and clears its selections, adds the entry, sets the balance, and
 * counts the stake unless what is known as staked is later than the order. Another bet that is being chosen stays.
 */
export function betPlaced(state: RoomState, { entry, money }: PlacedBet, order: Order): RoomState {
  const { roundId, total } = entry
  const { version } = money
  const known = state.staked?.roundId === roundId ? state.staked : null
  const isCounted = known !== null && known.version >= version
  const amount = (known?.amount ?? 0n) + total
  const counted = isCounted ? state : stakedReceived(state, { roundId, version, amount })
  const { panel, overlay } = state
  const isFollowed = overlay?.kind === 'follow' && overlay.entry.id === order.followedId
  return {
    ...appendEntries(moneyReceived(counted, money), [entry]),
    panel: isInPanel(order, state) ? { ...panel, open: false, ruleIds: [], ...NO_AMOUNT } : panel,
    overlay: isFollowed ? null : overlay,
  }
}

/** An order got no answer: closes what it was sent from. What was chosen stays. */
export function orderUnanswered(state: RoomState): RoomState {
  return { ...state, panel: { ...state.panel, open: false }, overlay: null }
}

// Actions of the player

export function panelOpened(state: RoomState, now: number): RoomState {
  const phase = phaseAt(state, now)
  if (phase === null) return state
  if (phase !== 'open') return alerted(state, phase)
  return { ...state, panel: { ...state.panel, open: true } }
}

export function panelClosed(state: RoomState): RoomState {
  return { ...state, panel: { ...state.panel, open: false } }
}

/** Another tab begins without selections. */
export function tabChosen(state: RoomState, tab: PanelTab): RoomState {
  return { ...state, panel: { ...state.panel, tab, ruleIds: [], ...NO_AMOUNT } }
}

/**
 * Selects an outcome or removes it. Clears the stake, which counts for each selection, so that the
 * total never grows without the player's notice.
 */
export function ruleToggled(state: RoomState, ruleId: RuleId): RoomState {
  const { ruleIds } = state.panel
  const next = ruleIds.includes(ruleId)
    ? ruleIds.filter((chosen) => chosen !== ruleId)
    : [...ruleIds, ruleId]
  return { ...state, panel: { ...state.panel, ruleIds: next, ...NO_AMOUNT } }
}

/**
 * Accepts the typed text if it can still become an amount with two decimals.
 *
 * @param tag the language in which it is typed
 */
export function amountTyped(state: RoomState, typed: string, tag: string): RoomState {
  const amount = typedSoFar(typed, { tag })
  if (amount === null) return state
  const read = readTypedAmount(amount, { tag })
  const stake = read.ok && read.amount > 0n ? read.amount : null
  return { ...state, panel: { ...state.panel, amount, stake } }
}

export function quickAmountAdded(state: RoomState, units: number, tag: string): RoomState {
  return withStake(state, (state.panel.stake ?? 0n) + BigInt(units) * MICRO, tag)
}

/** Half of the stake, in whole cents, or twice the stake. */
export function stakeScaled(state: RoomState, by: 'half' | 'double', tag: string): RoomState {
  const stake = state.panel.stake ?? 0n
  const half = stake / 2n
  return withStake(state, by === 'double' ? stake * 2n : half - (half % (MICRO / 100n)), tag)
}

/** Chooses what an earlier bet had, with its stake; it is bought by the player's own tap. */
export function chosenAgain(state: RoomState, bet: SameBet, tag: string): RoomState {
  const panel = { ...state.panel, ruleIds: bet.ruleIds }
  return withStake({ ...state, panel }, bet.stake, tag)
}

export function amountCleared(state: RoomState): RoomState {
  return { ...state, panel: { ...state.panel, ...NO_AMOUNT } }
}

/**
 * The stake on each selection by 'all in'; 0 without money or selections.
 *
 * @param left what the tightest of the player's limits leaves, or null
 */
export function allInOf(
  { balance, panel }: Pick<RoomState, 'balance' | 'panel'>,
  left: Amount | null = null,
): Amount {
  return allInStake({ balance: balance ?? 0n, left, selections: panel.ruleIds.length })
}

/** Following needs an open room and an entry of the running round. */
export function followRequested(state: RoomState, entry: FeedEntry, now: number): RoomState {
  const hindrance = followHindrance(state, entry, now)
  if (hindrance) return alerted(state, hindrance)
  return { ...state, overlay: { kind: 'follow', entry } }
}

/** Why an entry cannot be followed at an instant, or null. Checked again on confirmation. */
export function followHindrance(
  state: Pick<RoomState, 'round'>,
  entry: FeedEntry,
  now: number,
): Alert | null {
  const phase = phaseAt(state, now)
  if (phase !== 'open') return phase ?? 'wrong-round'
  return entry.roundId === state.round?.roundId ? null : 'wrong-round'
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

// Derived values

/** Why the bet in the panel would be refused: the amount is what it is short of, or over; for `above-payout` the greatest payout, of a limit what is left. */
export type OrderHindrance = {
  readonly because: 'below-minimum' | 'above-balance' | 'above-payout' | 'above-limit'
  readonly amount: Amount
}

/** Judges by what the player was shown; the server judges again. */
export function orderHindrance(
  { total, returns }: { total: Amount; returns: Amount },
  limits: {
    stakeMin: Amount
    balance: Amount | null
    payoutMax: Amount
    /** Of the tightest limit of the player's; null without one. */
    limitLeft: Amount | null
  },
): OrderHindrance | null {
  const { stakeMin, balance, payoutMax: most, limitLeft } = limits
  if (limitLeft !== null && total > limitLeft) return { because: 'above-limit', amount: limitLeft }
  if (balance !== null && total > balance) {
    return { because: 'above-balance', amount: wholeCents(total - balance) }
  }
  if (total < stakeMin) return { because: 'below-minimum', amount: wholeCents(stakeMin - total) }
  return returns > most ? { because: 'above-payout', amount: most } : null
}

/** What is missing, up to the next cent: cut to two decimals, as amounts are shown, it would not be enough. */
function wholeCents(missing: Amount): Amount {
  const cent = MICRO / 100n
  return ((missing + cent - 1n) / cent) * cent
}

/** The bet in the panel, or null while it has no selection, no stake or no round. */
export function orderInPanel(state: PanelRoom): Order | null {
  const { stake } = state.panel
  const roundId = state.round?.roundId
  if (!stake || !roundId || state.panel.ruleIds.length === 0) return null
  const { gameId, roomId } = state
  return { gameId, roomId, roundId, ruleIds: state.panel.ruleIds, stake, followedId: null }
}

/** Whether an order is the bet that the panel shows, perhaps of an earlier round. */
export function isInPanel(order: Order, { roomId, panel }: PanelRoom): boolean {
  if (order.roomId !== roomId || order.followedId !== null) return false
  return order.stake === panel.stake && order.ruleIds.join() === panel.ruleIds.join()
}

/** @param stake the player's own, on each selection */
export function orderFollowing(
  { gameId, roomId }: Pick<RoomState, 'gameId' | 'roomId'>,
  entry: FeedEntry,
  stake: Amount,
): Order {
  const { roundId, ruleIds, id } = entry
  return { gameId, roomId, roundId, ruleIds, stake, followedId: id }
}

/** Nicknames with Chinese characters are not shown. */
export function isHidden(entry: FeedEntry): boolean {
  return /\p{Script=Han}/u.test(entry.nickname)
}

export function withStake(state: RoomState, stake: Amount, tag: string): RoomState {
  const amount = typedForm(stake, tag)
  return { ...state, panel: { ...state.panel, amount, stake: stake > 0n ? stake : null } }
}

function appendEntries(state: RoomState, entries: readonly FeedEntry[]): RoomState {
  const ids = new Set(state.feed.map(({ id }) => id))
  const fresh = entries.filter((entry) => !ids.has(entry.id) && !isHidden(entry))
  if (fresh.length === 0) return state
  let feed = [...state.feed, ...fresh].sort((one, other) => one.id - other.id)
  while (feed.length > FEED_MAX) feed = feed.slice(FEED_TRIM)
  return { ...state, feed, unread: state.atNewest ? 0 : state.unread + fresh.length }
}

/** One win for each round, by the profit of the whole round: without a profit there is none. */
function collectWins(state: RoomState, hits: readonly Win[]): RoomState {
  const fresh = hits.filter((hit) => hit.roundProfit > 0n && !state.shownRoundIds.has(hit.roundId))
  if (fresh.length === 0) return state
  return {
    ...state,
    shownRoundIds: new Set([...state.shownRoundIds, ...fresh.map((hit) => hit.roundId)]),
  }
}
