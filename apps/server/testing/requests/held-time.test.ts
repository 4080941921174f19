import { beforeAll, expect, it, vi } from 'vitest'
import { holdTime } from './held-time.ts'

/** Polls from before the test, as a product of the worker does. */
let polls = 0
beforeAll(() => {
  let polling: NodeJS.Timeout
  function poll(): void {
    polls += 1
    polling = setTimeout(poll, 1)
  }
  poll()
  return () => clearTimeout(polling)
})

it('holds the timers of a test, and not those of other work', async () => {
  holdTime('setTimeout')
  let fired = false
  setTimeout(() => {
    fired = true
  }, 1)
  const before = polls
  while (polls < before + 3) await new Promise((next) => setImmediate(next))
  expect(fired).toBe(false)
  vi.advanceTimersByTime(1)
  expect(fired).toBe(true)
})
