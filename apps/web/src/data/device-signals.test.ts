import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  canVibrate,
  signalProfit,
  soundDraw,
  sounds,
  winVibration,
} from '#src/data/device-signals.ts'

afterEach(() => {
  winVibration.set('off')
  sounds.set('off')
  vi.unstubAllGlobals()
})

describe('the vibration at a profit', () => {
  it('is off until the player switches it on', () => {
    const vibrate = deviceThatVibrates()
    signalProfit()
    expect(vibrate).not.toHaveBeenCalled()
  })

  it('happens while it is on, and not afterwards', () => {
    const vibrate = deviceThatVibrates()
    winVibration.set('on')
    signalProfit()
    winVibration.set('off')
    signalProfit()
    expect(vibrate).toHaveBeenCalledTimes(1)
  })

  it('is not requested from a device without vibration', () => {
    vi.stubGlobal('navigator', {})
    winVibration.set('on')
    expect(canVibrate()).toBe(false)
    expect(signalProfit).not.toThrow()
  })
})

describe('the sounds', () => {
  it('of a draw and of a profit differ, and are heard only while they are on', () => {
    const heard = deviceThatSounds({ touched: true })
    soundDraw()
    expect(heard).toEqual([])
    sounds.set('on')
    soundDraw()
    expect(heard).toEqual([392])
    signalProfit()
    expect(heard).toEqual([392, 523, 784])
  })

  it('are not asked of a browser before the page was touched, nor where it has none', () => {
    const heard = deviceThatSounds({ touched: false })
    sounds.set('on')
    soundDraw()
    vi.unstubAllGlobals()
    vi.stubGlobal('AudioContext', undefined)
    Reflect.deleteProperty(globalThis, 'AudioContext')
    expect(soundDraw).not.toThrow()
    expect(heard).toEqual([])
  })
})

/** Stands in for the phone's motor, which no test machine has. */
function deviceThatVibrates() {
  const vibrate = vi.fn()
  vi.stubGlobal('navigator', { vibrate })
  return vibrate
}

/** Stands in for the phone's speaker; the frequencies of its tones. */
function deviceThatSounds({ touched }: { touched: boolean }): number[] {
  const heard: number[] = []
  const gain = {
    setValueAtTime: () => {},
    linearRampToValueAtTime: () => {},
    exponentialRampToValueAtTime: () => {},
  }
  class Part {
    gain = gain
    currentTime = 0
    connect = (next: unknown) => next
    resume = () => Promise.resolve()
    start() {}
    stop() {}
  }
  class Tone extends Part {
    constructor(_: unknown, { frequency }: { frequency: number }) {
      super()
      heard.push(frequency)
    }
  }
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: touched } })
  vi.stubGlobal('AudioContext', Part)
  vi.stubGlobal('GainNode', Part)
  vi.stubGlobal('OscillatorNode', Tone)
  return heard
}
