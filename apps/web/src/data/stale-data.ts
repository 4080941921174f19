import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'

/**
 * The time, in milliseconds since 1970, of the oldest data on the screen that could not be
 * refreshed; null if all is up to date. While offline, stale data counts too.
 */
export function staleSince(
  shown: readonly Query[],
  { online }: { online: boolean },
): number | null {
  const old = shown.filter((query) => {
    if (query.state.data === undefined || query.meta?.showsOwnFailure) return false
    return query.state.status === 'error' || (!online && isOld(query))
  })
  return old.length === 0 ? null : Math.min(...old.map(({ state }) => state.dataUpdatedAt))
}

function isOld(query: Query): boolean {
  return query.observers.some(({ options: { staleTime } }) =>
    query.isStaleByTime(typeof staleTime === 'function' ? staleTime(query) : staleTime),
  )
}

/** Fetches all shown data again. Settles when each fetch has succeeded or failed. */
export async function refetchShown(queries: QueryClient): Promise<void> {
  await queries.refetchQueries({ type: 'active' })
}

/** {@link staleSince} of this page. */
export function useStaleSince(online: boolean): number | null {
  const cache = useQueryClient().getQueryCache()
  const watch = useCallback((listener: () => void) => cache.subscribe(listener), [cache])
  return useSyncExternalStore(watch, () =>
    staleSince(cache.findAll({ type: 'active' }), { online }),
  )
}
