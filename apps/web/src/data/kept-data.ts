/** Whether something on the screen is older than it should be, because it cannot be asked for anew. */
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'

/** For queries whose screens show by themselves that a question has failed. */
export const TOLD_IN_PLACE = { toldInPlace: true } as const

/**
 * The time, in milliseconds since 1970, of the oldest answer on the screen that could not be renewed;
 * null where all are as new as they should be. Offline, answers that have become old count too.
 */
export function oldSince(shown: readonly Query[], { online }: { online: boolean }): number | null {
  const old = shown.filter((query) => {
    if (query.state.data === undefined || query.meta?.toldInPlace) return false
    return query.state.status === 'error' || (!online && isOld(query))
  })
  return old.length === 0 ? null : Math.min(...old.map(({ state }) => state.dataUpdatedAt))
}

/** Whether a screen that shows it would ask anew by now. */
function isOld(query: Query): boolean {
  return query.observers.some(({ options: { staleTime } }) =>
    query.isStaleByTime(typeof staleTime === 'function' ? staleTime(query) : staleTime),
  )
}

/** Asks anew for all that is shown. Settles when each was answered or has failed. */
export async function askAgain(queries: QueryClient): Promise<void> {
  await queries.refetchQueries({ type: 'active' })
}

/** {@link oldSince} of this page, followed. */
export function useOldSince(online: boolean): number | null {
  const cache = useQueryClient().getQueryCache()
  const watch = useCallback((listener: () => void) => cache.subscribe(listener), [cache])
  return useSyncExternalStore(watch, () => oldSince(cache.findAll({ type: 'active' }), { online }))
}
