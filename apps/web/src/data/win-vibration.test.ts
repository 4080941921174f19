import { afterEach, describe, expect, it, vi } from 'vitest'
import { canVibrate, vibrateForProfit, winVibration } from '#src/data/win-vibration.ts'

afterEach(() => {
  winVibration.set(false)
  vi.unstubAllGlobals()
})

describe('the vibration at a profit', () => {
  it('is off until the player switches it on', () => {
    const vibrate = deviceThatVibrates()
    vibrateForProfit()
    expect(vibrate).not.toHaveBeenCalled()
  })

  it('happens while it is on, and not afterwards', () => {
    const vibrate = deviceThatVibrates()
    winVibration.set(true)
    vibrateForProfit()
    winVibration.set(false)
    vibrateForProfit()
    expect(vibrate).toHaveBeenCalledTimes(1)
  })

  it('is not requested from a device without vibration', () => {
    vi.stubGlobal('navigator', {})
    winVibration.set(true)
    expect(canVibrate()).toBe(false)
    expect(vibrateForProfit).not.toThrow()
  })
})

/** Stands in for the phone's motor, which no test machine has. */
function deviceThatVibrates() {
  const vibrate = vi.fn()
  vi.stubGlobal('navigator', { vibrate })
  return vibrate
}
