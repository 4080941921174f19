import { Refusal } from '@sum28/contract/client.ts'
import { STREAM_SILENCE_MAX_MS } from '@sum28/contract/stream-rules.ts'
import { memoryStorage } from '@sum28/ui/storage.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { GAMES_POLL_MS } from '#src/data/games.ts'
import { setLineAddresses, storeActiveLine } from '#src/data/lines.ts'
import { runLink } from '#src/data/live/run-link.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { host: 'play.example' } }))

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('sessionStorage', memoryStorage())
  vi.stubGlobal('location', { origin: 'https://sum28.example' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A link whose streams tell once and then go on; what was opened, and what was dropped. */
function follow() {
  const opened: AbortSignal[] = []
  const { stop } = runLink({
    everyMs: 2_000,
    beat: async () => {},
    runStream: ({ signal, onData }) => {
      opened.push(signal)
      onData()
      return new Promise(() => {})
    },
  })
  return { opened, stop }
}

it('a stream is opened on the other line as soon as that is chosen, and the old one is aborted', async () => {
  setLineAddresses(['', 'https://line2.example'])
  const { opened, stop } = follow()
  await vi.advanceTimersByTimeAsync(60)
  expect(opened).toHaveLength(1)
  storeActiveLine(1)
  expect(opened).toHaveLength(2)
  expect(opened.map((signal) => signal.aborted)).toEqual([true, false])
  storeActiveLine(1)
  expect(opened).toHaveLength(2)
  stop()
  storeActiveLine(0)
  expect(opened).toHaveLength(2)
})

it('a stream that began before the lines were known is moved to the chosen line', async () => {
  setLineAddresses([])
  storeActiveLine(1)
  const { opened, stop } = follow()
  await vi.advanceTimersByTimeAsync(60)
  setLineAddresses(['', 'https://line2.example'])
  expect(opened).toHaveLength(2)
  stop()
})

it('without a stream a beat is sent at once and then at each interval', async () => {
  expect(GAMES_POLL_MS).toBe(4_000)
  const begunAt = performance.now()
  const beatsAt: number[] = []
  const { stop } = runLink({
    everyMs: GAMES_POLL_MS,
    beat: async () => {
      beatsAt.push(performance.now() - begunAt)
    },
    runStream: async () => {
      await new Promise((done) => setTimeout(done, 1_000))
      throw new Refusal({ code: 0, msg: 'No stream.', time: '0', data: { reason: 'round_closed' } })
    },
  })
  await vi.advanceTimersByTimeAsync(13_500)
  expect(beatsAt).toEqual([1_000, 5_000, 9_000, 13_000])
  stop()
})

it('a hidden page drops its stream, and opens it again as soon as it is visible', async () => {
  const { opened, stop } = follow()
  await vi.advanceTimersByTimeAsync(60)
  const look = (hidden: boolean) => {
    Object.assign(document, { hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }
  look(true)
  expect(opened.map((signal) => signal.aborted)).toEqual([true])
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(opened).toHaveLength(1)
  look(false)
  expect(opened.map((signal) => signal.aborted)).toEqual([true, false])
  stop()
  expect(opened.map((signal) => signal.aborted)).toEqual([true, true])
  look(false)
  expect(opened).toHaveLength(2)
})

it('a suspended page reads the received data first, and does not count its suspension as silence', async () => {
  const opened: AbortSignal[] = []
  let sendBytes = () => {}
  const { stop } = runLink({
    everyMs: 2_000,
    beat: async () => {},
    runStream: ({ signal, onData, onBytes }) => {
      opened.push(signal)
      sendBytes = onBytes
      onData()
      return new Promise(() => {})
    },
  })
  await vi.advanceTimersByTimeAsync(60)
  const awake = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => awake() + 60_000)
  await vi.advanceTimersByTimeAsync(3_600)
  expect(opened).toHaveLength(1)
  sendBytes()
  await vi.advanceTimersByTimeAsync(3_400)
  expect(opened.map((signal) => signal.aborted)).toEqual([false])
  // The stream's own silence is still one.
  await vi.advanceTimersByTimeAsync(200)
  expect(opened[0]?.aborted).toBe(true)
  stop()
  clock.mockRestore()
})

it('a page out of the back/forward cache opens its stream anew, though the browser does not call it hidden', async () => {
  const { opened, stop } = follow()
  await vi.advanceTimersByTimeAsync(60)
  const show = (persisted: boolean) =>
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))
  show(false)
  expect(opened).toHaveLength(1)
  show(true)
  expect(opened.map((signal) => signal.aborted)).toEqual([true, false])
  stop()
})

it('a phone that has slept for 75 s with its stream lost asks at once, and opens the stream anew', async () => {
  const opened: AbortSignal[] = []
  let beats = 0
  const { stop } = runLink({
    everyMs: 2_000,
    beat: async () => {
      beats += 1
    },
    runStream: ({ signal, onData }) => {
      opened.push(signal)
      if (opened.length === 1) onData()
      return new Promise(() => {})
    },
  })
  await vi.advanceTimersByTimeAsync(60)
  const awake = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => awake() + 75_000)
  // The timer that was set before the sleep, and a moment to read what had been received.
  await vi.advanceTimersByTimeAsync(STREAM_SILENCE_MAX_MS + 250)
  expect(opened[0]?.aborted).toBe(true)
  expect(beats).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(opened).toHaveLength(2)
  stop()
  clock.mockRestore()
})
