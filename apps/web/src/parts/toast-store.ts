/** The one toast of the app. A new one replaces the old one. */
import { createStore } from '@sum28/ui/store.ts'

export type Toast = {
  readonly id: number
  readonly text: string
  readonly busy: boolean
}

type ToastOptions = { forMs?: number; busy?: boolean }

export const toastStore = createStore<Toast | null>(null)
let timer: ReturnType<typeof setTimeout> | undefined
let lastId = 0

/** Shows a short text, read out by screen readers; by default longer for a longer text. */
export function showToast(text: string, options: ToastOptions = {}): void {
  clearTimeout(timer)
  const forMs = options.forMs ?? Math.min(6_000, 1_800 + text.length * 45)
  lastId += 1
  toastStore.set({ id: lastId, text, busy: options.busy ?? false })
  timer = setTimeout(() => toastStore.set(null), forMs)
}
