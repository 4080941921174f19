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

type Starts = Record<Period, string>
type Bet = { total: bigint; at: number; accepted: Starts; counted: Starts; back: bigint }
type Limit = { amount: bigint | null; raise: { askedAt: number; amount: bigint | null } | null }

type Player = {
  bets: Map<string, Bet>
  deposits: { amount: bigint; counted: Starts }[]
  limits: Map<string, Limit>
  /** The latest periods that anything was counted for. */
  starts: Starts | null
  session: { beganAt: number; activeAt: number; checkedAt: number; bets: Set<string> } | null
  checkEvery: number
  excludedUntil: number
}

export class ProtectionModel {
  readonly #players = new Map<number, Player>()
  /** Writes the day of an instant as 2026-11-22. */
  readonly #days: Intl.DateTimeFormat
  readonly #house: Map<string, bigint>
  /** The last changes of a bet, which can be undone: the newest last. */
  readonly #steps: (() => void)[] = []
  /** Resolved bets: nothing is paid for them any more. */
  #resolved: { id: number; ref: string }[] = []
  #last: { now: number; starts: Starts } | null = null

  /** @param house limits of all players, by `kind period` */
  constructor(zone: string, house: Map<string, bigint> = new Map()) {
    this.#days = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
    this.#house = house
  }

  add(id: number): void {
    this.#players.set(id, {
      bets: new Map(),
      deposits: [],
      limits: new Map(),
      starts: null,
      session: null,
      checkEvery: HOUR,
      excludedUntil: Number.NEGATIVE_INFINITY,
    })
  }

  /** Why a stake is refused, or null. */
  judgeStake(id: number, total: bigint, now: number): string | null {
    const player = this.#player(id)
    if (now < player.excludedUntil) return 'excluded'
    const session = this.#session(player, now)
    if (session && now >= session.checkedAt + player.checkEvery) return 'reality_check_due'
    const passed = (['stake', 'loss'] as const).some((kind) =>
      PERIODS.some((period) => this.left(id, kind, period, now) < total),
    )
    return passed ? 'limit_reached' : null
  }

  /** The rest of a limit; a number beyond all others if there is none. */
  left(id: number, kind: Kind, period: Period, now: number): bigint {
    const limit = this.#player(id).limits.get(`${kind} ${period}`)?.amount ?? null
    const house = this.#house.get(`${kind} ${period}`) ?? null
    const bounds = [limit, house].filter((amount) => amount !== null)
    if (bounds.length === 0) return 2n ** 62n
    const [lowest = 0n] = bounds.sort((a, b) => Number(a - b))
    return lowest - this.#spent(id, kind, period, now)
  }

  stake(id: number, { ref, total, now }: { ref: string; total: bigint; now: number }): void {
    const player = this.#player(id)
    const session = this.#session(player, now)
    const counted = this.#count(player, now)
    player.bets.set(ref, { total, at: now, accepted: this.#startsAt(now), counted, back: 0n })
    this.#steps.push(() => {
      player.bets.delete(ref)
      session?.bets.delete(ref)
    })
    player.session = {
      beganAt: session?.beganAt ?? now,
      checkedAt: session?.checkedAt ?? now,
      activeAt: Math.max(now, session?.activeAt ?? now),
      bets: (session?.bets ?? new Set()).add(ref),
    }
  }

  /** The payout of a settled bet, or {@link REFUND}. */
  giveBack(id: number, ref: string, amount: bigint): void {
    const bet = this.#player(id).bets.get(ref)
    if (!bet) throw new Error(`no bet ${ref}`)
    const { back } = bet
    bet.back = amount
    this.#steps.push(() => {
      bet.back = back
    })
  }

  /** Saves a player's state; the returned function restores it. */
  standing(id: number): () => void {
    const player = this.#player(id)
    const steps = this.#steps.length
    const { starts, checkEvery, excludedUntil } = player
    // Copies, because the next calls change the player's present data.
    const limits = [...player.limits]
    const deposits = player.deposits.length
    const session = player.session && { ...player.session }
    return () => {
      while (this.#steps.length > steps) this.#steps.pop()?.()
      player.deposits.length = deposits
      Object.assign(player, { starts, checkEvery, excludedUntil })
      player.limits = new Map(limits)
      player.session = session && { ...session }
    }
  }

  /** All data of a player that a later call may depend on, besides the sums that {@link left} returns. */
  summary(id: number): string {
    const { limits, session, checkEvery, excludedUntil } = this.#player(id)
    const at = session && [session.beganAt, session.activeAt, session.checkedAt]
    return JSON.stringify([[...limits].sort(), at, checkEvery, excludedUntil], (_name, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
  }

  /** Makes the state so far permanent: removes what no period and no session can count again. */
  settled(refs: readonly { id: number; ref: string }[]): void {
    this.#steps.length = 0
    for (const { id, ref } of refs) this.#resolved.push({ id, ref })
    const counted = this.#resolved.splice(0).filter(({ id, ref }) => {
      const { bets, starts, session } = this.#player(id)
      const counted = bets.get(ref)?.counted
      const counts = PERIODS.some((period) => counted?.[period] === starts?.[period])
      if (counts || session?.bets.has(ref)) return true
      bets.delete(ref)
      return false
    })
    this.#resolved = counted
  }

  /** Whether a deposit is credited; otherwise it is held. */
  deposit(id: number, amount: bigint, now: number): boolean {
    const player = this.#player(id)
    if (now < player.excludedUntil) return false
    if (PERIODS.some((period) => this.left(id, 'deposit', period, now) < amount)) return false
    player.deposits.push({ amount, counted: this.#count(player, now) })
    return true
  }

  setLimit(id: number, kind: Kind, period: Period, amount: bigint | null, now: number): string {
    const { limits } = this.#player(id)
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

  confirmRaise(id: number, kind: Kind, period: Period, now: number): string {
    const { limits } = this.#player(id)
    const raise = limits.get(`${kind} ${period}`)?.raise
    if (!raise || now >= raise.askedAt + 8 * DAY) return 'not_asked'
    if (now < raise.askedAt + DAY) return 'too_early'
    limits.set(`${kind} ${period}`, { amount: raise.amount, raise: null })
    return 'raised'
  }

  setCheck(id: number, minutes: number, now: number): string {
    const player = this.#player(id)
    if (this.#isDue(player, now)) return 'reality_check_due'
    player.checkEvery = minutes * 60_000
    return 'set'
  }

  acknowledge(id: number, now: number): boolean {
    const player = this.#player(id)
    if (!this.#isDue(player, now) || !player.session) return false
    player.session.checkedAt = now
    player.session.activeAt = Math.max(now, player.session.activeAt)
    return true
  }

  timeOut(id: number, hours: number, now: number): string {
    const player = this.#player(id)
    const until = now + hours * HOUR
    if (player.excludedUntil >= until) return 'already_excluded'
    player.excludedUntil = until
    return 'begun'
  }

  /** What he staked and got back in his session, or null without one. */
  session(id: number, now: number): { staked: bigint; paidOut: bigint } | null {
    const player = this.#player(id)
    const session = this.#session(player, now)
    if (!session) return null
    const bets = [...session.bets].map((ref) => player.bets.get(ref) as Bet)
    // What was accepted on a clock that was set back before its session began is in it as a stake alone.
    const settled = bets.filter(({ at }) => at >= session.beganAt)
    const refunded = settled.filter(({ back }) => back === REFUND)
    return {
      staked: sum(bets.map(({ total }) => total)) - sum(refunded.map(({ total }) => total)),
      paidOut: sum(settled.filter(({ back }) => back > 0n).map(({ back }) => back)),
    }
  }

  #player(id: number): Player {
    const player = this.#players.get(id)
    if (!player) throw new Error(`no player ${id}`)
    return player
  }

  #session(player: Player, now: number) {
    return player.session && now < player.session.activeAt + BREAK ? player.session : null
  }

  #isDue(player: Player, now: number): boolean {
    const session = this.#session(player, now)
    return session !== null && now >= session.checkedAt + player.checkEvery
  }

  /** A bet counts for the period in which it was accepted; where the clock was set back, for the running one. */
  #spent(id: number, kind: Kind, period: Period, now: number): bigint {
    const player = this.#player(id)
    const key = later(player.starts, this.#startsAt(now))[period]
    if (kind === 'deposit') {
      return sum(
        player.deposits.filter(({ counted }) => counted[period] === key).map((d) => d.amount),
      )
    }
    const bets = [...player.bets.values()].filter(({ counted }) => counted[period] === key)
    const betsOfPeriod = bets.filter(({ accepted }) => accepted[period] === key)
    const refunds = sum(betsOfPeriod.map(({ back, total }) => (back === REFUND ? total : 0n)))
    const paid = sum(betsOfPeriod.map(({ back }) => (back === REFUND ? 0n : back)))
    return sum(bets.map(({ total }) => total)) - refunds - (kind === 'loss' ? paid : 0n)
  }

  #count(player: Player, now: number): Starts {
    player.starts = later(player.starts, this.#startsAt(now))
    return player.starts
  }

  #startsAt(now: number): Starts {
    if (this.#last?.now !== now) this.#last = { now, starts: startsOf(this.#days.format(now)) }
    return this.#last.starts
  }
}

/** The periods that a day is in, by their first days. */
function startsOf(day: string): Starts {
  const noon = new Date(`${day}T12:00:00Z`)
  const sinceMonday = (noon.getUTCDay() + 6) % 7
  const monday = new Date(noon.getTime() - sinceMonday * DAY)
  return { day, week: monday.toISOString().slice(0, 10), month: `${day.slice(0, 8)}01` }
}

/** Used instead of an amount: the stake was returned. */
export const REFUND = -1n

function later(a: Starts | null, b: Starts): Starts {
  if (!a) return b
  // Their form is chosen so that the later one is the greater text.
  const of = (period: Period) => [a[period], b[period]].sort()[1] ?? ''
  return { day: of('day'), week: of('week'), month: of('month') }
}

function sum(amounts: bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
