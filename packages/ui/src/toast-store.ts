/** The one toast of the app. A new one replaces the old one. */

export type Toast = {
  readonly id: number
  readonly text: string
  /** Whether to show a spinner. */
  readonly busy: boolean
}

type ToastOptions = { forMs?: number; busy?: boolean }

let toast: Toast | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a short text, read out by screen readers; by default longer for a longer text. */
export function showToast(text: string, options: ToastOptions = {}): void {
  clearTimeout(timer)
  const forMs = options.forMs ?? Math.min(6_000, 1_800 + text.length * 45)
  lastId += 1
  replaceToast({ id: lastId, text, busy: options.busy ?? false })
  timer = setTimeout(() => replaceToast(null), forMs)
}

export function currentToast(): Toast | null {
  return toast
}

export function watchToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function replaceToast(next: Toast | null): void {
  toast = next
  for (const listener of listeners) listener()
}
