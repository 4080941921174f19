import { Unreachable } from '@sum28/contract/client.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { notifyManager, QueryClient, type QueryKey, type QueryStatus } from '@tanstack/react-query'
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

const POLL_MS = 1_000
/** At the end of a day all phones ask. */
export const AFTER_FAILURE_MS = 30_000
/** A browser's timers have 31 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The interval after which a query is fetched again whose data changes at an instant; the server says when it has. */
export function intervalUntil(at: number, { status }: { status: QueryStatus }): number {
  const leastMs = status === 'error' ? AFTER_FAILURE_MS : POLL_MS
  return Math.min(Math.max(at - serverNow(), leastMs), LONGEST_TIMER_MS)
}
