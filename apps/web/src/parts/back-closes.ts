import { useEffect, useEffectEvent } from 'react'

/** As browsers have it that know Android's Back; the types of the language do not have it yet. */
type WithCloseWatcher = {
  readonly CloseWatcher?: new () => EventTarget & { destroy: () => void }
}

/**
 * Lets Android's Back close an open overlay, which otherwise would leave the screen. Base UI's drawer does it by itself.
 * Elsewhere Escape is the same request, and each overlay handles that key.
 */
export function useBackCloses(open: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)

  useEffect(() => {
    const { CloseWatcher } = window as WithCloseWatcher
    if (!open || !CloseWatcher || !/Android/.test(navigator.userAgent)) return
    const watcher = new CloseWatcher()
    watcher.addEventListener('close', () => close())
    return () => watcher.destroy()
  }, [open])
}
