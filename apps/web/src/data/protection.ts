/** The player's protection: his limits, his session of play, his break, and deposits that are held. */
import { protectionState } from '@sum28/contract/protection-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'

type StateReply = ReplyOf<typeof protectionState>

export const LIMIT_KINDS = ['deposit', 'loss', 'stake'] as const
export type LimitKind = (typeof LIMIT_KINDS)[number]
export type LimitPeriod = 'day' | 'week' | 'month'

/** The name of one of the nine limits. */
export type LimitName = { readonly kind: LimitKind; readonly period: LimitPeriod }

/** A requested higher limit. Times are in milliseconds since 1970, as everywhere in this file. */
export type Raise = {
  /** Null: no limit. */
  readonly own: Amount | null
  /** The time in which it can be confirmed. */
  readonly from: number
  readonly until: number
}

export type Limit = LimitName & {
  /** The player's own; null: none. */
  readonly own: Amount | null
  /** The lowest limit in force, and who set it; null: none. */
  readonly amount: Amount | null
  readonly by: 'player' | 'operator' | 'law' | null
  readonly used: Amount
  /** Null if there is no limit. */
  readonly left: Amount | null
  readonly nextPeriodAt: number
  readonly raise: Raise | null
}

export type PlaySession = { readonly beganAt: number; readonly net: Amount }

export type Exclusion = {
  /** `likeness`: held by staff because the account resembles an excluded one. */
  readonly kind: 'timeOut' | 'selfExclusion' | 'likeness'
  /** Null: it has no end date. */
  readonly until: number | null
  readonly mayAskFrom: number | null
}

export type HeldDeposit = {
  readonly id: number
  readonly amount: Amount
  readonly because: 'limit' | 'excluded' | 'review'
  readonly createdAt: number
}

export type Protection = {
  readonly limits: readonly Limit[]
  readonly checkMinutes: number
  /** It begins with the first bet; null if there is none now. */
  readonly session: PlaySession | null
  readonly exclusion: Exclusion | null
  readonly held: readonly HeldDeposit[]
}

export const protectionQuery = queryOptions({
  queryKey: ['protection'],
  queryFn: async ({ signal }): Promise<Protection> => {
    return protectionFromWire(await call(protectionState, {}, { signal }))
  },
  // A break that ends while it is shown is over then; the server says so.
  refetchInterval: ({ state }) => {
    const until = state.data?.exclusion?.until ?? null
    if (until === null) return false
    return Math.min(Math.max(until - serverNow(), BREAK_POLL_MS), LONGEST_TIMER_MS)
  },
})

const BREAK_POLL_MS = 1_000
/** A browser's timers have 31 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

const EXCLUSIONS = {
  time_out: 'timeOut',
  self_exclusion: 'selfExclusion',
  likeness: 'likeness',
} as const

function protectionFromWire(reply: StateReply): Protection {
  const { session, exclusion } = reply
  return {
    limits: reply.limits.map(limitFromWire),
    checkMinutes: reply.check_minutes,
    session: session && { beganAt: msOf(session.began_at), net: amountFromWire(session.net) },
    exclusion: exclusion && {
      kind: EXCLUSIONS[exclusion.kind],
      until: exclusion.until === null ? null : msOf(exclusion.until),
      mayAskFrom: exclusion.may_ask_from === null ? null : msOf(exclusion.may_ask_from),
    },
    held: reply.held.map(({ id, quantity, because, createtime }) => ({
      id,
      amount: amountFromWire(quantity),
      because,
      createdAt: msOf(createtime),
    })),
  }
}

function limitFromWire(limit: StateReply['limits'][number]): Limit {
  const { kind, period, by, raise } = limit
  return {
    kind,
    period,
    by,
    own: amountOrNull(limit.own),
    amount: amountOrNull(limit.amount),
    used: amountFromWire(limit.used),
    left: amountOrNull(limit.left),
    nextPeriodAt: msOf(limit.begins_anew_at),
    raise: raise && {
      own: amountOrNull(raise.own),
      from: msOf(raise.from),
      until: msOf(raise.until),
    },
  }
}

function amountOrNull(amount: string | null): Amount | null {
  return amount === null ? null : amountFromWire(amount)
}

function msOf(seconds: number): number {
  return seconds * 1_000
}

/** The length of a break: a time-out of hours, or a self-exclusion of months. */
export type BreakLength = { readonly hours: number } | { readonly months: number }

/** The pending higher limit at an instant, and whether it can be confirmed; null: none is pending. */
export function pendingRaise(
  { raise }: Pick<Limit, 'raise'>,
  now: number,
): (Raise & { readonly ready: boolean }) | null {
  return raise && now < raise.until ? { ...raise, ready: now >= raise.from } : null
}
