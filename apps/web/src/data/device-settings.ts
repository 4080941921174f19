/** What a player has set on this device, and it keeps: how the app looks, and whether draws and wins are felt and heard. */
import { deviceStorage } from '@sum28/ui/storage.ts'
import { createStore, type Store } from '@sum28/ui/store.ts'

export const SCHEMES = ['system', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

/** The colours of the app. The first script of the page reads the same name, so that it never begins in others. */
export const scheme = kept<Scheme>('scheme', SCHEMES)

/** Whether the phone vibrates at a profit. */
export const winVibration = kept('vibration', ['off', 'on'])

/** Whether a draw and a profit are heard. */
export const sounds = kept('sounds', ['off', 'on'])

/** A store whose value the device keeps; the first value, where it keeps none of them. */
function kept<Value extends string>(name: string, [first, ...others]: readonly Value[]) {
  const value = others.find((each) => each === deviceStorage().getItem(name)) ?? (first as Value)
  const store = createStore(value)
  return {
    ...store,
    set: (next) => {
      deviceStorage().setItem(name, next)
      store.set(next)
    },
  } satisfies Store<Value>
}

/** Shows the page in the colours that are set, and follows them. */
export function followScheme(): void {
  showScheme()
  scheme.subscribe(showScheme)
}

function showScheme(): void {
  const chosen = scheme.get()
  if (chosen === 'system') delete document.documentElement.dataset.scheme
  else document.documentElement.dataset.scheme = chosen
  // The browser's own bar.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-scheme]')) {
    const own = `(prefers-color-scheme: ${meta.dataset.scheme})`
    meta.media = chosen === 'system' ? own : chosen === meta.dataset.scheme ? 'all' : 'not all'
  }
}

/** Vibration, pause, vibration, in milliseconds. */
const PATTERN = [60, 80, 60]

/** Whether this device can vibrate, as far as the browser says. */
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

/** Whether this browser can make sounds. */
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
  }
}
