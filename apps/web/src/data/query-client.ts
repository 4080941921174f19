import { Unreachable } from '@sum28/contract/client.ts'
import { notifyManager, QueryClient, type QueryKey } from '@tanstack/react-query'
import { showFailure } from '#src/data/failure.ts'

/** For queries whose screens show a failed refetch themselves. */
export const SHOWS_OWN_FAILURE = { showsOwnFailure: true } as const

// The second of two quick presses must find the button busy: by default it is announced by a timer, which may come later.
notifyManager.setScheduler(queueMicrotask)

/**
 * The cache of replies. A refused call is not repeated; one that failed at once is repeated twice.
 * (The client has already repeated a call that timed out.) An action that fails says so in a toast, unless it has an
 * `onError` of its own.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      retry: (failures, error) => error instanceof Unreachable && !error.timedOut && failures < 2,
      retryDelay: 1_000,
    },
    mutations: { networkMode: 'always', retry: false, onError: showFailure },
  },
})

/** Fetches again what a query has fetched: now if it is shown, else when it is. */
export function refetchQuery({ queryKey }: { queryKey: QueryKey }): Promise<void> {
  return queryClient.invalidateQueries({ queryKey })
}
