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
  /** Once its time is over, until there has been a press: for what failed, of which often nothing else tells. */
  stays?: boolean
}

const LONGEST_MS = 6_000
/** Of a finger too where nothing is to be pressed; a scroll fires neither. */
const PRESSES = ['click', 'pointerup']
/** After this the press that led to a toast is over. */
const PRESS_MS = 300
/** Letters of Chinese, Japanese and Korean: one says as much as three others. */
const DENSE = /[\u2e80-\uffff]/g

export const toastStore = createStore<Toast | null>(null)
let timer: ReturnType<typeof setTimeout> | undefined
let lastId = 0
/** Whether there has been a press since a toast that stays, and whether its time is over. */
let isPressed = false
let isDue = false

/** Shows a short text, read out by screen readers; by default longer for a longer text. */
export function showToast(text: string, options: ToastOptions = {}): void {
  const { busy = false, stays = false, forMs = stays ? LONGEST_MS : timeFor(text) } = options
  hideToast()
  lastId += 1
  toastStore.set({ id: lastId, text, busy })
  timer = stays
    ? setTimeout(() => {
        awaitPress(true)
        timer = setTimeout(end, forMs - PRESS_MS)
      }, PRESS_MS)
    : setTimeout(hideToast, forMs)
}

function timeFor(text: string): number {
  return Math.min(LONGEST_MS, 1_800 + text.replace(DENSE, '...').length * 45)
}

export function hideToast(): void {
  clearTimeout(timer)
  awaitPress(false)
  isPressed = false
  isDue = false
  toastStore.set(null)
}

function end(): void {
  isDue = true
  if (isPressed) hideToast()
}

function notePress(): void {
  isPressed = true
  if (isDue) hideToast()
}

function awaitPress(waits: boolean): void {
  for (const press of PRESSES) {
    if (waits) window.addEventListener(press, notePress)
    else window.removeEventListener(press, notePress)
  }
}
