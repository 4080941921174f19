/**
 * The correct answers of player protection, computed independently of the product: lists of events and the rules as
 * players read them, without the product's own code. Amounts are micro-units, instants milliseconds since 1970.
 */

export type Kind = 'deposit' | 'loss' | 'stake'
export type Period = 'day' | 'week' | 'month'
export const KINDS: Kind[] = ['deposit', 'loss', 'stake']
export const PERIODS: Period[] = ['day', 'week', 'month']

/** East and west of Greenwich, with summer time in the north, in the south, and without. */
export const ZONES = ['Asia/Singapore', 'America/New_York', 'Pacific/Auckland', 'UTC']

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** A session ends when no bet was placed for this time. */
const BREAK = HOUR / 2

/** Used instead of an amount: the stake was returned. */
export const REFUND = -1n

type Starts = Record<Period, string>
type Bet = {
  total: bigint
  at: number
  accepted: Starts
  counted: Starts
  /** Null until it is settled. */
  back: bigint | null
}
type Limit = { amount: bigint | null; raise: { askedAt: number; amount: bigint | null } | null }

/** All that is known of a player: plain data, which can be copied and compared. */
export type ModelPlayer = {
  bets: Map<string, Bet>
  deposits: { amount: bigint; counted: Starts }[]
  limits: Map<string, Limit>
  /** The latest periods that anything was counted for. */
  starts: Starts | null
  session: { beganAt: number; activeAt: number; checkedAt: number; bets: Set<string> } | null
  checkEvery: number
  excludedUntil: number
}

export function newPlayer(): ModelPlayer {
  return {
    bets: new Map(),
    deposits: [],
    limits: new Map(),
    starts: null,
    session: null,
    checkEvery: HOUR,
    excludedUntil: Number.NEGATIVE_INFINITY,
  }
}

export class ProtectionModel {
  readonly players = new Map<number, ModelPlayer>()
  /** Writes the day of an instant as 2026-11-22. */
  readonly #days: Intl.DateTimeFormat
  readonly #house: ReadonlyMap<string, bigint>
  #last: { now: number; starts: Starts } | null = null

  /** @param house limits of all players, by `kind period` */
  constructor(zone: string, house: ReadonlyMap<string, bigint>) {
    this.#days = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
    this.#house = house
  }

  player(id: number): ModelPlayer {
    const player = this.players.get(id)
    if (!player) throw new Error(`no player ${id}`)
    return player
  }

  /** Why a stake is refused, or null. */
  judgeStake(player: ModelPlayer, total: bigint, now: number): string | null {
    if (now < player.excludedUntil) return 'excluded'
    if (isDue(player, now)) return 'reality_check_due'
    const passed = (['stake', 'loss'] as const).some((kind) =>
      PERIODS.some((period) => this.left(player, kind, period, now) < total),
    )
    return passed ? 'limit_reached' : null
  }

  /** The rest of a limit; a number beyond all others if there is none. */
  left(player: ModelPlayer, kind: Kind, period: Period, now: number): bigint {
    const limit = player.limits.get(`${kind} ${period}`)?.amount ?? null
    const house = this.#house.get(`${kind} ${period}`) ?? null
    const bounds = [limit, house].filter((amount) => amount !== null)
    if (bounds.length === 0) return 2n ** 62n
    const [lowest = 0n] = bounds.sort((a, b) => Number(a - b))
    return lowest - this.#spent(player, kind, period, now)
  }

  stake(player: ModelPlayer, { ref, total, now }: { ref: string; total: bigint; now: number }) {
    const session = sessionOf(player, now)
    const counted = this.#count(player, now)
    player.bets.set(ref, { total, at: now, accepted: this.#startsAt(now), counted, back: null })
    player.session = {
      beganAt: session?.beganAt ?? now,
      checkedAt: session?.checkedAt ?? now,
      activeAt: Math.max(now, session?.activeAt ?? now),
      bets: (session?.bets ?? new Set()).add(ref),
    }
  }

  /** Whether a deposit is credited; otherwise it is held. */
  deposit(player: ModelPlayer, amount: bigint, now: number): boolean {
    if (now < player.excludedUntil) return false
    if (PERIODS.some((period) => this.left(player, 'deposit', period, now) < amount)) return false
    player.deposits.push({ amount, counted: this.#count(player, now) })
    return true
  }

  /** A bet counts for the period in which it was accepted; where the clock was set back, for the running one. */
  #spent(player: ModelPlayer, kind: Kind, period: Period, now: number): bigint {
    const key = later(player.starts, this.#startsAt(now))[period]
    if (kind === 'deposit') {
      return sum(
        player.deposits.filter(({ counted }) => counted[period] === key).map((d) => d.amount),
      )
    }
    const bets = [...player.bets.values()].filter(({ counted }) => counted[period] === key)
    const betsOfPeriod = bets.filter(({ accepted }) => accepted[period] === key)
    const refunds = sum(betsOfPeriod.map(({ back, total }) => (back === REFUND ? total : 0n)))
    const paid = sum(betsOfPeriod.map(paidFor))
    return sum(bets.map(({ total }) => total)) - refunds - (kind === 'loss' ? paid : 0n)
  }

  #count(player: ModelPlayer, now: number): Starts {
    player.starts = later(player.starts, this.#startsAt(now))
    return player.starts
  }

  #startsAt(now: number): Starts {
    if (this.#last?.now !== now) this.#last = { now, starts: startsOf(this.#days.format(now)) }
    return this.#last.starts
  }
}

/** Forgets settled bets that neither the player's periods nor his session count. */
export function forgetOldBets({ bets, starts, session }: ModelPlayer): void {
  for (const [ref, { counted, back }] of bets) {
    const counts = PERIODS.some((period) => counted[period] === starts?.[period])
    if (back !== null && !counts && !session?.bets.has(ref)) bets.delete(ref)
  }
}

/** The payout of a settled bet, or {@link REFUND}. */
export function giveBack({ bets }: ModelPlayer, ref: string, amount: bigint): void {
  const bet = bets.get(ref)
  if (!bet) throw new Error(`no bet ${ref}`)
  bet.back = amount
}

export function setLimit(
  { limits }: ModelPlayer,
  { kind, period, amount }: { kind: Kind; period: Period; amount: bigint | null },
  now: number,
): string {
  const before = limits.get(`${kind} ${period}`)?.amount ?? null
  if (amount === before) {
    limits.set(`${kind} ${period}`, { amount, raise: null })
    return 'same'
  }
  if (amount !== null && (before === null || amount < before)) {
    limits.set(`${kind} ${period}`, { amount, raise: null })
    return 'lowered'
  }
  limits.set(`${kind} ${period}`, { amount: before, raise: { askedAt: now, amount } })
  return 'raise_asked'
}

export function confirmRaise(
  { limits }: ModelPlayer,
  { kind, period }: { kind: Kind; period: Period },
  now: number,
): string {
  const raise = limits.get(`${kind} ${period}`)?.raise
  if (!raise || now >= raise.askedAt + 8 * DAY) return 'not_asked'
  if (now < raise.askedAt + DAY) return 'too_early'
  limits.set(`${kind} ${period}`, { amount: raise.amount, raise: null })
  return 'raised'
}

export function setCheck(player: ModelPlayer, minutes: number, now: number): string {
  if (isDue(player, now)) return 'reality_check_due'
  player.checkEvery = minutes * 60_000
  return 'set'
}

export function acknowledge(player: ModelPlayer, now: number): boolean {
  if (!isDue(player, now) || !player.session) return false
  player.session.checkedAt = now
  player.session.activeAt = Math.max(now, player.session.activeAt)
  return true
}

/** A time-out of 24 hours. */
export function timeOut(player: ModelPlayer, now: number): string {
  const until = now + DAY
  if (player.excludedUntil >= until) return 'already_excluded'
  player.excludedUntil = until
  return 'begun'
}

function paidFor({ back }: Bet): bigint {
  return back === null || back === REFUND ? 0n : back
}

/** What he staked and got back in his session, or null without one. */
export function sessionSums(player: ModelPlayer, now: number) {
  const session = sessionOf(player, now)
  if (!session) return null
  const bets = [...session.bets].map((ref) => player.bets.get(ref) as Bet)
  // What was accepted on a clock that was set back before its session began is in it as a stake alone.
  const settled = bets.filter(({ at }) => at >= session.beganAt)
  const refunded = settled.filter(({ back }) => back === REFUND)
  return {
    staked: sum(bets.map(({ total }) => total)) - sum(refunded.map(({ total }) => total)),
    paidOut: sum(settled.map(paidFor)),
  }
}

function sessionOf({ session }: ModelPlayer, now: number) {
  return session && now < session.activeAt + BREAK ? session : null
}

function isDue(player: ModelPlayer, now: number): boolean {
  const session = sessionOf(player, now)
  return session !== null && now >= session.checkedAt + player.checkEvery
}

/** The periods that a day is in, by their first days. */
function startsOf(day: string): Starts {
  const noon = new Date(`${day}T12:00:00Z`)
  const sinceMonday = (noon.getUTCDay() + 6) % 7
  const monday = new Date(noon.getTime() - sinceMonday * DAY)
  return { day, week: monday.toISOString().slice(0, 10), month: `${day.slice(0, 8)}01` }
}

function later(a: Starts | null, b: Starts): Starts {
  if (!a) return b
  // Their form is chosen so that the later one is the greater text.
  const of = (period: Period) => [a[period], b[period]].sort()[1] ?? ''
  return { day: of('day'), week: of('week'), month: of('month') }
}

function sum(amounts: bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
