import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  deviceNow,
  listenToServerClock,
  serverNow,
  serverTimeOf,
  watchServerClock,
} from '#src/server-clock.ts'

const SERVER_AT = Date.parse('2026-11-20T12:00:00Z')
const HOUR_MS = 3_600_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.setSystemTime(SERVER_AT)
  listenToServerClock()(String(SERVER_AT / 1_000))
  vi.useRealTimers()
})

/** A reply of the server at an instant, after so many milliseconds. */
function hear(serverAt: number, { afterMs = 0 } = {}): void {
  const heard = listenToServerClock()
  vi.advanceTimersByTime(afterMs)
  heard(String(Math.floor(serverAt / 1_000)))
}

it('after a reply the time is the server’s, however wrong the clock of the device is', () => {
  for (const wrongMs of [-400 * 24 * HOUR_MS, -HOUR_MS, 90_000, 5 * HOUR_MS]) {
    vi.setSystemTime(SERVER_AT + wrongMs)
    hear(SERVER_AT)
    expect(Math.abs(serverNow() - SERVER_AT)).toBeLessThanOrEqual(1_000)
    expect(serverTimeOf(Date.now() - 60_000)).toBe(serverNow() - 60_000)
    // What judges the server is not set by it.
    expect(deviceNow()).toBe(SERVER_AT + wrongMs)
  }
})

it('a reply that fits changes nothing, however long it took', () => {
  vi.setSystemTime(SERVER_AT)
  hear(SERVER_AT)
  const set = vi.fn()
  const stop = watchServerClock(set)
  for (const afterMs of [0, 300, 999, 6_900]) hear(Date.now() + afterMs / 2, { afterMs })
  expect(set).not.toHaveBeenCalled()
  hear(Date.now() + HOUR_MS)
  expect(set).toHaveBeenCalledTimes(1)
  stop()
})

it('a time that is none is ignored', () => {
  vi.setSystemTime(SERVER_AT)
  hear(SERVER_AT)
  const before = serverNow()
  for (const time of ['', '0', '-5', 'soon', 'undefined']) listenToServerClock()(time)
  expect(serverNow()).toBe(before)
})

it('nothing else of app and components reads the clock of the device', () => {
  const root = join(import.meta.dirname, '../../..')
  const folders = ['apps/web/src', 'packages/ui/src']
  const list = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
  const sources = list.split('\n').filter((file) => /\.tsx?$/.test(file))
  const reading = sources
    .filter((file) => !/\.test\.tsx?$|\/testing\/|server-clock\.ts$/.test(file))
    .filter((file) =>
      /Date\.now|new Date\(\)|\bDate\(\)/.test(readFileSync(join(root, file), 'utf8')),
    )
  expect(sources.length).toBeGreaterThan(300)
  expect(reading).toEqual([])
})
