/** The reason for which an order was refused to protect the player, read from the refusal's data. */
import { Refusal } from '@sum28/contract/client.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { type LimitName, type Protection, protectionQuery } from '#src/data/protection.ts'

/** The figures of the present session, which the player must see before he bets on. */
export type RealityCheck = {
  readonly minutes: number
  readonly staked: Amount
  readonly won: Amount
  /** Payouts minus stakes. */
  readonly net: Amount
}

/** A limit that the order would have exceeded. */
export type ReachedLimit = LimitName & {
  readonly amount: Amount
  readonly left: Amount
  /** Milliseconds since 1970. */
  readonly nextPeriodAt: number
}

export type PlayStop =
  | { readonly kind: 'check'; readonly check: RealityCheck }
  | { readonly kind: 'limit'; readonly limit: ReachedLimit }
  /** `until` in milliseconds since 1970; null: it has no end date. */
  | { readonly kind: 'excluded'; readonly until: number | null }

/** Null if the order failed for another reason. */
export function playStopOf(error: unknown): PlayStop | null {
  if (!(error instanceof Refusal)) return null
  const { reason, until } = error.data
  if (reason === 'reality_check_due') return { kind: 'check', check: realityCheck(error.data) }
  if (reason === 'excluded') {
    return { kind: 'excluded', until: until === undefined ? null : Number(until) * 1_000 }
  }
  const limit = reason === 'limit_reached' ? reachedLimit(error.data) : null
  return limit && { kind: 'limit', limit }
}

function realityCheck(data: Readonly<Record<string, unknown>>): RealityCheck {
  return {
    minutes: Math.floor(Number(data.elapsed_s) / 60),
    staked: amountFromWire(String(data.staked)),
    won: amountFromWire(String(data.won)),
    net: amountFromWire(String(data.net)),
  }
}

/** Null if the server does not name the limit. */
function reachedLimit(data: Readonly<Record<string, unknown>>): ReachedLimit | null {
  const { limit, period, amount, left, begins_at: beginsAt } = data
  if (limit !== 'loss' && limit !== 'stake') return null
  if (period !== 'day' && period !== 'week' && period !== 'month') return null
  return {
    kind: limit,
    period,
    amount: amountFromWire(String(amount)),
    left: amountFromWire(String(left)),
    nextPeriodAt: Number(beginsAt) * 1_000,
  }
}

/** Returns a function that reports whether the player is on a break, and shows it if so. */
export function useStopOnBreak(setStop: (stop: PlayStop) => void): () => boolean {
  const { data: exclusion = null } = useQuery({ ...protectionQuery, select: exclusionOf })
  const latest = useRef(exclusion)
  useEffect(() => {
    latest.current = exclusion
  }, [exclusion])
  return useCallback(() => {
    const { current } = latest
    if (!current) return false
    setStop({ kind: 'excluded', until: current.until })
    return true
  }, [setStop])
}

/** The room rerenders for this alone, and not for every limit that is used. */
function exclusionOf({ exclusion }: Protection): Protection['exclusion'] {
  return exclusion
}
