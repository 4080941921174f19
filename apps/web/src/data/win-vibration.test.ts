import { afterEach, describe, expect, it, vi } from 'vitest'
import { canVibrate, setWinVibration, vibrateForProfit } from '#src/data/win-vibration.ts'

afterEach(() => {
  setWinVibration(false)
  vi.unstubAllGlobals()
})

describe('the vibration at a profit', () => {
  it('is off until the player asks for it', () => {
    const vibrate = deviceThatVibrates()
    vibrateForProfit()
    expect(vibrate).not.toHaveBeenCalled()
  })

  it('is felt while it is on, and not after', () => {
    const vibrate = deviceThatVibrates()
    setWinVibration(true)
    vibrateForProfit()
    setWinVibration(false)
    vibrateForProfit()
    expect(vibrate).toHaveBeenCalledTimes(1)
  })

  it('is asked of no device that has none', () => {
    vi.stubGlobal('navigator', {})
    setWinVibration(true)
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
