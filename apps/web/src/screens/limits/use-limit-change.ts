import type { Amount } from '@sum28/domain/money.ts'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { confirmLimit, type Limit, protectionQuery, setLimit } from '#src/data/protection.ts'
import { showFailure } from '#src/features/show-failure.ts'
import { useLimitWords } from '#src/features/use-limit-words.ts'
import { useText } from '#src/i18n/text.ts'

/** The time from the request of a higher limit until it can be confirmed. */
export const RAISE_WAIT_MS = 24 * 60 * 60 * 1_000

export type LimitChange = {
  busy: boolean
  /** Sets the own limit; null: none. */
  set: (amount: Amount | null) => void
  /** Confirms the requested higher limit. */
  confirm: () => void
  /** Cancels the requested higher limit. */
  keep: () => void
}

/** The changes of one limit; each shows a toast, and the limits are then fetched again. */
export function useLimitChange(
  { kind, period, own }: Limit,
  { onDone }: { onDone: () => void },
): LimitChange {
  const t = useText()
  const { soon } = useLimitWords()
  const queries = useQueryClient()
  const changing = useMutation({
    mutationFn: async (change: 'confirm' | { own: Amount | null }): Promise<string> => {
      if (change === 'confirm') {
        await confirmLimit({ kind, period })
        return t('limits.raised')
      }
      const outcome = await setLimit({ kind, period }, change.own)
      if (outcome === 'lowered') return t('limits.lowered')
      if (outcome === 'same') return t('limits.same')
      return t('limits.asked', { time: soon(Date.now() + RAISE_WAIT_MS) })
    },
    onSuccess: (text) => {
      showToast(text)
      onDone()
    },
    onError: showFailure,
    // Also after a failure: the answer may have been lost.
    onSettled: () => queries.invalidateQueries({ queryKey: protectionQuery.queryKey }),
  })
  return {
    busy: changing.isPending,
    set: (amount) => changing.mutate({ own: amount }),
    confirm: () => changing.mutate('confirm'),
    keep: () => changing.mutate({ own }),
  }
}
