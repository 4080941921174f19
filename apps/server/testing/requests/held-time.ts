import { AsyncLocalStorage } from 'node:async_hooks'
import { onTestFinished, vi } from 'vitest'

const ofTest = new AsyncLocalStorage<true>()

const CLEARED_BY = { setTimeout: 'clearTimeout', setInterval: 'clearInterval' } as const

type Call = (...args: never[]) => unknown

/**
 * Holds the timers that the running test starts from now on, or the clock of `performance` that it reads: only
 * `vi.advanceTimersByTime` moves them. The other work of the process is not held: the worker's product runs in it too,
 * and one of its timers that was held would never fire, in no later test.
 *
 * @returns lets go of them before the test ends
 */
export function holdTime(what: keyof typeof CLEARED_BY | 'performance'): () => void {
  ofTest.enterWith(true)
  const letGo = () => void vi.useRealTimers()
  onTestFinished(letGo)
  if (what === 'performance') {
    const running = performance.now.bind(performance)
    vi.useFakeTimers({ toFake: [what] })
    const held = performance.now
    performance.now = () => (ofTest.getStore() ? held() : running())
    return letGo
  }
  const clears = CLEARED_BY[what]
  const global = globalThis as unknown as Record<string, Call>
  const running = { start: global[what] as Call, clear: global[clears] as Call }
  vi.useFakeTimers({ toFake: [what, clears] })
  const held = { start: global[what] as Call, clear: global[clears] as Call }
  const timers = new WeakSet<WeakKey>()
  global[what] = (...args) => {
    if (!ofTest.getStore()) return running.start(...args)
    const timer = held.start(...args) as WeakKey
    timers.add(timer)
    return timer
  }
  global[clears] = (timer) => (timers.has(timer) ? held : running).clear(timer)
  return letGo
}
