/** Whether the phone vibrates at a profit. Kept only in memory: off again in a new visit. */
import { useSyncExternalStore } from 'react'

/** Vibration, pause, vibration, in milliseconds. */
const PATTERN = [60, 80, 60]

let on = false
const listeners = new Set<() => void>()

/** Whether this device can vibrate, as far as the browser says. */
export function canVibrate(): boolean {
  return 'vibrate' in navigator
}

export function setWinVibration(next: boolean): void {
  on = next
  for (const listener of listeners) listener()
}

export function useWinVibration(): boolean {
  return useSyncExternalStore(subscribe, () => on)
}

/** Vibrates, if the player switched it on and the device can. */
export function vibrateForProfit(): void {
  if (on && canVibrate()) navigator.vibrate(PATTERN)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
