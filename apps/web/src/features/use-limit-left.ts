import { amountText } from '@sum28/ui/amount-format.ts'
import { useLocale } from '@sum28/ui/text.ts'
import { useQuery } from '@tanstack/react-query'
import { type LimitKind, protectionQuery } from '#src/data/protection.ts'
import { type BindingLimit, tightestLimit } from '#src/data/tightest-limit.ts'
import { useLimitWords } from '#src/features/use-limit-words.ts'
import { useText } from '#src/i18n/text.ts'

/** The kinds of limits that apply to a bet. */
export const BET_LIMITS = ['stake', 'loss'] as const satisfies LimitKind[]

/** The tightest limit of some kinds; null if none is in force, or the limits are not loaded. */
export function useTightestLimit(kinds: readonly LimitKind[]): BindingLimit | null {
  const { data: protection } = useQuery(protectionQuery)
  return protection ? tightestLimit(protection.limits, kinds) : null
}

/** A text with the rest of the tightest limit; null if no limit is in force. */
export function useLimitLeft(kinds: readonly LimitKind[]): string | null {
  const t = useText()
  const { tag } = useLocale()
  const { nameOf } = useLimitWords()
  const limit = useTightestLimit(kinds)
  return limit && t('left.of', { limit: nameOf(limit), amount: amountText(limit.left, { tag }) })
}
