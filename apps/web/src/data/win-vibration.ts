/** Whether the phone vibrates at a profit. Kept only in memory: off again in a new visit. */
import { createStore } from '@sum28/ui/store.ts'

/** Vibration, pause, vibration, in milliseconds. */
const PATTERN = [60, 80, 60]

export const winVibration = createStore(false)

/** Whether this device can vibrate, as far as the browser says. */
export function canVibrate(): boolean {
  return 'vibrate' in navigator
}

/** Vibrates, if the player switched it on and the device can. */
export function vibrateForProfit(): void {
  if (winVibration.get() && canVibrate()) navigator.vibrate(PATTERN)
}
