import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cachedChunk, loadChunk, retryFailedChunks } from '#src/chunk.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Fails so often, then gives a piece. */
function failing(times: number) {
  let left = times
  return vi.fn(async () => {
    left -= 1
    if (left >= 0) throw new Error('the network is away')
    return 'a piece'
  })
}

describe('a chunk of the program', () => {
  it('is fetched again after half a second and after two more', async () => {
    const fetch = failing(2)
    const piece = loadChunk(fetch)
    await vi.advanceTimersByTimeAsync(499)
    expect(fetch).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(fetch).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await piece).toBe('a piece')
    expect(fetch).toHaveBeenCalledTimes(3)
  })

  it('that failed is fetched again after a request to retry, and not before', async () => {
    const fetch = failing(3)
    const piece = cachedChunk(fetch)
    const first = expect(piece()).rejects.toThrow('the network is away')
    await vi.advanceTimersByTimeAsync(2_500)
    await first
    await expect(piece()).rejects.toThrow('the network is away')
    expect(fetch).toHaveBeenCalledTimes(3)
    retryFailedChunks()
    expect(await piece()).toBe('a piece')
    expect(await piece()).toBe('a piece')
    expect(fetch).toHaveBeenCalledTimes(4)
  })
})
