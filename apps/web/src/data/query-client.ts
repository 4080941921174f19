import { Unreachable } from '@sum28/contract/client.ts'
import { QueryClient } from '@tanstack/react-query'

/**
 * The cache of replies. A refusal is not asked for again; a network that failed at once
 * is tried twice more. (A try that timed out was repeated by the client already.)
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      retry: (failures, error) => error instanceof Unreachable && !error.timedOut && failures < 2,
      retryDelay: 1_000,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
