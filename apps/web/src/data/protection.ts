import { protectionState } from '@sum28/contract/protection-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { intervalUntil } from '#src/data/query-client.ts'

type StateReply = ReplyOf<typeof protectionState>

export const LIMIT_KINDS = ['deposit', 'loss', 'stake'] as const
export type LimitKind = (typeof LIMIT_KINDS)[number]
export type LimitPeriod = 'day' | 'week' | 'month'

/** The name of one of the nine limits. */
export type LimitName = { readonly kind: LimitKind; readonly period: LimitPeriod }

export const protectionQuery = queryOptions({
  queryKey: ['protection'],
  queryFn: async ({ signal }) => protectionFromWire(await call(protectionState, {}, { signal })),
  // A break that ends while it is shown is over then, and what is left of a limit is another; the server says so.
  refetchInterval: ({ state }) => {
    const { exclusion = null, limits = [] } = state.data ?? {}
    const ends = limits.filter(({ left }) => left !== null).map((limit) => limit.nextPeriodAt)
    if (exclusion?.until) ends.push(exclusion.until)
    return ends.length > 0 && intervalUntil(Math.min(...ends), state)
  },
})

/** The last two are no breaks: staff hold the account, because it resembles an excluded one or its player seems under age. */
const EXCLUSIONS = {
  time_out: 'timeOut',
  self_exclusion: 'selfExclusion',
  likeness: 'likeness',
  under_age: 'underAge',
} as const

export type Protection = ReturnType<typeof protectionFromWire>
export type Exclusion = NonNullable<Protection['exclusion']>

/** Whether staff hold the account, which is no break that its player began. */
export function isHeld(kind: Exclusion['kind'] | undefined): kind is 'likeness' | 'underAge' {
  return kind === 'likeness' || kind === 'underAge'
}

/** Times are in milliseconds since 1970, as everywhere in this file. */
function protectionFromWire(reply: StateReply) {
  const { session, exclusion } = reply
  return {
    limits: reply.limits.map(limitFromWire),
    checkMinutes: reply.check_minutes,
    /** It begins with the first bet; null if there is none now. */
    session: session && { beganAt: msOf(session.began_at), net: amountFromWire(session.net) },
    exclusion: exclusion && {
      kind: EXCLUSIONS[exclusion.kind],
      /** Null: it has no end date. */
      until: exclusion.until === null ? null : msOf(exclusion.until),
      mayAskFrom: exclusion.may_ask_from === null ? null : msOf(exclusion.may_ask_from),
    },
    held: reply.held.map(({ id, quantity, because, createtime, asked_back: isAskedBack }) => ({
      id,
      isAskedBack,
      amount: amountFromWire(quantity),
      because,
      createdAt: msOf(createtime),
    })),
  }
}

export type Limit = ReturnType<typeof limitFromWire>

function limitFromWire(limit: StateReply['limits'][number]) {
  const { kind, period, by, raise } = limit
  return {
    kind,
    period,
    /** The player's own; null: none. */
    own: amountOrNull(limit.own),
    /** The lowest limit in force, and who set it; null: none. */
    amount: amountOrNull(limit.amount),
    by,
    used: amountFromWire(limit.used),
    /** Null if there is no limit. */
    left: amountOrNull(limit.left),
    nextPeriodAt: msOf(limit.begins_anew_at),
    /** A requested higher limit, and the time in which it can be confirmed. */
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
export function pendingRaise({ raise }: Pick<Limit, 'raise'>, now: number) {
  return raise && now < raise.until ? { ...raise, ready: now >= raise.from } : null
}
