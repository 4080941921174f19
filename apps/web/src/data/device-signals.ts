/** How draws and wins are felt and heard, as far as the player has set it and the device can. */
import { kept } from '#src/data/device-settings.ts'

export const winVibration = kept('vibration', ['off', 'on'])

export const sounds = kept('sounds', ['off', 'on'])

/** Vibration, pause, vibration, in milliseconds. */
const PATTERN = [60, 80, 60]

export function canVibrate(): boolean {
  return 'vibrate' in navigator
}

/** In hertz, one after another: one low tone, and two that rise. */
const DRAW_TONES = [392]
const WIN_TONES = [523, 784]

const TONE_MS = 400
const NEXT_TONE_MS = 140

/** The greatest part of the device's volume. */
const VOLUME = 0.12

export function canSound(): boolean {
  return 'AudioContext' in globalThis
}

/** Lets a draw be heard, if that is set. */
export function soundDraw(): void {
  if (sounds.get() === 'on') play(DRAW_TONES)
}

/** Lets a profit be felt and heard, as far as that is set and the device can. */
export function signalProfit(): void {
  if (winVibration.get() === 'on' && canVibrate()) navigator.vibrate(PATTERN)
  if (sounds.get() === 'on') play(WIN_TONES)
}

let audio: AudioContext | undefined

/** The tone that began last: a profit comes after its draw, so it ends last too. */
let lastTone: OscillatorNode | undefined

/** Before the first touch of a page the browser lets it play nothing. */
function play(tones: readonly number[]): void {
  if (!canSound() || !navigator.userActivation?.hasBeenActive) return
  audio ??= new AudioContext()
  // Fails during a telephone call.
  audio.resume().catch(() => {})
  for (const [at, frequency] of tones.entries()) {
    const begin = audio.currentTime + (at * NEXT_TONE_MS) / 1_000
    const end = begin + TONE_MS / 1_000
    const tone = new OscillatorNode(audio, { frequency })
    const volume = new GainNode(audio, { gain: 0 })
    volume.gain.setValueAtTime(0, begin)
    volume.gain.linearRampToValueAtTime(VOLUME, begin + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.001, end)
    tone.connect(volume).connect(audio.destination)
    tone.start(begin)
    tone.stop(end)
    tone.onended = () => {
      if (tone === lastTone) rest()
    }
    lastTone = tone
  }
}

/** The device would go on to play silence for as long as the page lives. */
function rest(): void {
  audio?.suspend().catch(() => {})
}
