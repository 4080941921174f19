import { useCallback, useSyncExternalStore } from 'react'

/** A value of the window, read again on these events; the component rerenders when it changes. */
export function useWindowValue<Value>(
  events: readonly (keyof WindowEventMap)[],
  read: () => Value,
): Value {
  const subscribe = useCallback(
    (listener: () => void) => {
      for (const event of events) window.addEventListener(event, listener)
      return () => {
        for (const event of events) window.removeEventListener(event, listener)
      }
    },
    [events],
  )
  return useSyncExternalStore(subscribe, read)
}

const NETWORK_EVENTS = ['online', 'offline'] as const

/** Whether the browser has a network connection. */
export function useOnline(): boolean {
  return useWindowValue(NETWORK_EVENTS, () => navigator.onLine)
}

const SIZE_EVENTS = ['resize'] as const

/** Whether the window is wide enough for two parts side by side; the styles name the same width. */
export function useWide(): boolean {
  return useWindowValue(SIZE_EVENTS, () => window.innerWidth >= 1_000)
}
