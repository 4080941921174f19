/**
 * The time by the server, which every reply names: a phone's own clock may be wrong by minutes or years. The only file of
 * app, components and console that reads the device's clock.
 */
import { createStore } from '#src/store.ts'

/** What is added to the device's clock. */
const offsetMs = createStore(0)

/** Milliseconds since 1970 by the server, as far as it is known; before the first reply by the device. */
export function serverNow(): number {
  return Date.now() + offsetMs.get()
}

/** Milliseconds since 1970 by the device alone, to judge what the server must not decide by its own time. */
export function deviceNow(): number {
  return Date.now()
}

/** The server's time of an instant that was read from the device's clock, in milliseconds since 1970. */
export function serverTimeOf(deviceAt: number): number {
  return deviceAt + offsetMs.get()
}

const SECOND_MS = 1_000

/**
 * Call it when a request is sent, and what it returns with the `time` of the reply. That time is in whole seconds and was
 * read at some instant between the two: the clock is set only by a reply that contradicts it, so that it does not jump
 * with every reply.
 */
export function listenToServerClock(): (seconds: string) => void {
  const sentAt = Date.now()
  return (seconds) => {
    const at = Number(seconds) * SECOND_MS
    if (!(at > 0)) return
    const least = at - Date.now()
    const most = at + SECOND_MS - sentAt
    const present = offsetMs.get()
    const next = Math.max(Math.min(present, most), least)
    if (next !== present) offsetMs.set(next)
  }
}

/** Takes the device's clock until the next reply, as at the app's start. */
export function forgetServerClock(): void {
  offsetMs.set(0)
}

/** Calls a listener when the clock was set. Returns a function that ends it. */
export const watchServerClock = offsetMs.subscribe
