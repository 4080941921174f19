import { amountText } from '@sum28/ui/amount-format.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useQuery } from '@tanstack/react-query'
import { useTimeFormat } from '#src/data/game-zone.ts'
import {
  type Limit,
  type LimitKind,
  type LimitName,
  protectionQuery,
} from '#src/data/protection.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { dataTimeText, deadlineLooks, minuteText } from '#src/i18n/time-text.ts'

export const BET_LIMITS = ['stake', 'loss'] as const satisfies LimitKind[]

/** The tightest limit of some kinds; null if none is in force, or the limits of now are not loaded. */
export function useTightestLimit(kinds: readonly LimitKind[]): BindingLimit | null {
  const { data: protection } = useQuery(protectionQuery)
  return protection ? tightestLimit(protection.limits, kinds, serverNow()) : null
}

/** A text with the rest of the tightest limit; null if no limit is in force. */
export function useLimitLeft(kinds: readonly LimitKind[]): string | null {
  const t = useText()
  const { tag } = useLocale()
  const { nameOf } = useLimitWords()
  const limit = useTightestLimit(kinds)
  return limit && t('left.of', { limit: nameOf(limit), amount: amountText(limit.left, { tag }) })
}

type BindingLimit = Limit & { readonly left: NonNullable<Limit['left']> }

/**
 * The limit, among some kinds, with the least amount left; among equal ones, the one whose period ends
 * last, as the server names it in a refusal. Null if no such limit is in force. Of a period that is over it is not
 * known what is left.
 */
export function tightestLimit(
  limits: readonly Limit[],
  kinds: readonly LimitKind[],
  now: number,
): BindingLimit | null {
  return limits
    .filter((limit): limit is BindingLimit => limit.left !== null && kinds.includes(limit.kind))
    .filter(({ nextPeriodAt }) => nextPeriodAt > now)
    .reduce<BindingLimit | null>((tightest, limit) => {
      if (!tightest || limit.left < tightest.left) return limit
      const later = limit.nextPeriodAt > tightest.nextPeriodAt
      return limit.left === tightest.left && later ? limit : tightest
    }, null)
}

type LimitWords = {
  /** `Daily stake limit`. */
  nameOf: (limit: LimitName) => string
  /** A time within the next days, `Mon, Nov 23, 00:00`; for today only the time. */
  soon: (at: number) => string
  /** A time that may be years away, with its year. */
  farAway: (at: number) => string
}

/** The words for limits, and for their times as those of deadlines. */
export function useLimitWords(): LimitWords {
  const t = useText()
  const when = useTimeFormat()
  return {
    nameOf: ({ kind, period }) => t(`limits.name.${kind}-${period}`),
    soon: (at) => dataTimeText(at, serverNow(), deadlineLooks(at, when)),
    farAway: (at) => minuteText(at, deadlineLooks(at, when)),
  }
}
