/** Whether something on the screen is older than it should be, because it cannot be asked for anew. */
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'

/** For queries whose screens say by themselves, where it stands, that nothing new comes. */
export const TOLD_IN_PLACE = { toldInPlace: true } as const

/**
 * Since when, in milliseconds since 1970, the oldest of what is shown was not heard anew; null where
 * all is as new as it should be. Offline, what has become old since counts as well.
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
