import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SHOWS_OWN_FAILURE } from '#src/data/query-client.ts'
import { staleSince } from '#src/data/stale-data.ts'

const RECEIVED_AT = Date.parse('2026-11-20T06:02:00Z')

let queries: QueryClient

beforeEach(() => {
  vi.useFakeTimers({ now: RECEIVED_AT })
  queries = new QueryClient()
})
afterEach(() => {
  queries.clear()
  vi.useRealTimers()
})

/** A shown query that was answered once; each question after that fails. */
async function shown(
  key: string,
  options: { staleTime?: number; meta?: Record<string, unknown> } = {},
) {
  let answered = false
  const observer = new QueryObserver(queries, {
    queryKey: [key],
    retry: false,
    networkMode: 'always',
    ...options,
    queryFn: async () => {
      if (answered) throw new Error('the network is away')
      answered = true
      return 'data'
    },
  } as const)
  observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  return observer
}

const since = (online: boolean) =>
  staleSince(queries.getQueryCache().findAll({ type: 'active' }), { online })

describe('shown data', () => {
  it('has the time of its last answer after a later request has failed', async () => {
    const profile = await shown('profile')
    expect(since(true)).toBeNull()
    await vi.advanceTimersByTimeAsync(60_000)
    await profile.refetch()
    expect(since(true)).toBe(RECEIVED_AT)
  })

  it('has the time of its last answer while the device is offline, except data that never becomes stale', async () => {
    await shown('config', { staleTime: Number.POSITIVE_INFINITY })
    await vi.advanceTimersByTimeAsync(30_000)
    await shown('profile', { staleTime: 5_000 })
    expect(since(false)).toBeNull()
    await vi.advanceTimersByTimeAsync(5_001)
    expect(since(false)).toBe(RECEIVED_AT + 30_000)
    expect(since(true)).toBeNull()
  })

  it('is not reported here if its screen reports the failure', async () => {
    const speed = await shown('line-speed', { meta: SHOWS_OWN_FAILURE })
    await speed.refetch()
    expect(since(true)).toBeNull()
  })
})
