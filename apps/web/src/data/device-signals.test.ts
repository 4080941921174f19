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
    const { heard } = deviceThatSounds({ touched: true })
    soundDraw()
    expect(heard).toEqual([])
    sounds.set('on')
    soundDraw()
    expect(heard).toEqual([392])
    signalProfit()
    expect(heard).toEqual([392, 523, 784])
  })

  it('leave the audio of the device running for as long as there is a tone', () => {
    const { heard, endTone, isRunning } = deviceThatSounds({ touched: true })
    sounds.set('on')
    soundDraw()
    signalProfit()
    for (const frequency of heard) {
      expect(isRunning(), `before ${frequency} ends`).toBe(true)
      endTone(frequency)
    }
    expect(isRunning()).toBe(false)
    soundDraw()
    expect(isRunning()).toBe(true)
  })

  it('are not asked of a browser before the page was touched, nor where it has none', () => {
    const { heard } = deviceThatSounds({ touched: false })
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

/** Stands in for the phone's speaker, which the module keeps for its whole page. */
class Speaker {
  static isRunning = false
  currentTime = 0
  async resume() {
    Speaker.isRunning = true
  }
  async suspend() {
    Speaker.isRunning = false
  }
}

/** `heard`: the frequencies of its tones. */
function deviceThatSounds({ touched }: { touched: boolean }) {
  const tones: Tone[] = []
  const gain = {
    setValueAtTime: () => {},
    linearRampToValueAtTime: () => {},
    exponentialRampToValueAtTime: () => {},
  }
  const heard: number[] = []
  class Part {
    gain = gain
    connect = (next: unknown) => next
    start() {}
    stop() {}
  }
  class Tone extends Part {
    frequency: number
    onended = () => {}
    constructor(_: unknown, { frequency }: { frequency: number }) {
      super()
      this.frequency = frequency
      tones.push(this)
      heard.push(frequency)
    }
  }
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: touched } })
  vi.stubGlobal('AudioContext', Speaker)
  vi.stubGlobal('GainNode', Part)
  vi.stubGlobal('OscillatorNode', Tone)
  return {
    heard,
    endTone: (of: number) => tones.find(({ frequency }) => frequency === of)?.onended(),
    isRunning: () => Speaker.isRunning,
  }
}
