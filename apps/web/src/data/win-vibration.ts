/** Whether the phone shakes at a profit. Kept in memory alone: it is off again in a new visit. */
import { useSyncExternalStore } from 'react'

/** Two short ones with a breath between, in milliseconds. */
const PATTERN = [60, 80, 60]

let on = false
const listeners = new Set<() => void>()

/** Whether this device has something that shakes, as far as the browser tells. */
export function canVibrate(): boolean {
  return 'vibrate' in navigator
}

export function setWinVibration(next: boolean): void {
  on = next
  for (const listener of listeners) listener()
}

/** The switch, followed. */
export function useWinVibration(): boolean {
  return useSyncExternalStore(subscribe, () => on)
}

/** Shakes the phone, if the player asked for that and the device can. */
export function vibrateForProfit(): void {
  if (on && canVibrate()) navigator.vibrate(PATTERN)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
