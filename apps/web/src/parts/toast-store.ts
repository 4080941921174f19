/** The one toast of the app. A new one replaces the old one. */
import { createStore } from '@sum28/ui/store.ts'

export type Toast = {
  readonly id: number
  readonly text: string
  readonly busy: boolean
}

type ToastOptions = {
  forMs?: number
  busy?: boolean
  /** After its time, only the next press removes it: for what failed, of which often nothing else tells. */
  stays?: boolean
}

const LONGEST_MS = 6_000
/** Of a finger too where nothing is to be pressed; a scroll fires neither. */
const PRESSES = ['click', 'pointerup']
/** Letters of Chinese, Japanese and Korean: one says as much as three others. */
const DENSE = /[\u2e80-\uffff]/g

export const toastStore = createStore<Toast | null>(null)
let timer: ReturnType<typeof setTimeout> | undefined
let lastId = 0

/** Shows a short text, read out by screen readers; by default longer for a longer text. */
export function showToast(text: string, options: ToastOptions = {}): void {
  const { busy = false, stays = false, forMs = stays ? LONGEST_MS : timeFor(text) } = options
  clearTimeout(timer)
  awaitPress(false)
  lastId += 1
  toastStore.set({ id: lastId, text, busy })
  timer = setTimeout(() => (stays ? awaitPress(true) : hide()), forMs)
}

function timeFor(text: string): number {
  return Math.min(LONGEST_MS, 1_800 + text.replace(DENSE, '...').length * 45)
}

function hide(): void {
  awaitPress(false)
  toastStore.set(null)
}

function awaitPress(waits: boolean): void {
  for (const press of PRESSES) {
    if (waits) window.addEventListener(press, hide)
    else window.removeEventListener(press, hide)
  }
}
