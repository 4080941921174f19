import { useSyncExternalStore } from 'react'

/** Whether the browser has a network connection. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
}

function subscribeToNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** A question to the styles: the window's `innerWidth` would make the browser lay the page out at each rendering. */
const wide = matchMedia('(min-width: 1000px)')

/** Whether the window is wide enough for two parts side by side; the styles name the same width. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribeToWidth, () => wide.matches)
}

function subscribeToWidth(listener: () => void): () => void {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}
