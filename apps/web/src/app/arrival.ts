/** Tells who does not see the screen that another one has come: by the focus, and in words. */
import { type RefObject, useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

/** The heading of a screen whose name is still on its way. */
export const WAITING_TITLE = '…'

type Place = { readonly pathname: string; readonly search: string; readonly title: string }

let here: Place | null = null
let announced = ''
const listeners = new Set<() => void>()

/** Whether another screen stands where one stood: one and the same may change its name or filter. */
export function isArrival(before: Place, after: Place): boolean {
  if (before.pathname.toLowerCase() !== after.pathname.toLowerCase()) return true
  return before.search !== after.search && before.title !== after.title
}

/**
 * Names the document after a screen, and on arrival from another one announces it and gives its
 * heading the focus, unless the screen itself has put that somewhere.
 */
export function useArrival(title: string, heading: RefObject<HTMLElement | null>): void {
  const { pathname, search } = useLocation()
  useEffect(() => {
    document.title = `${title} · Sum28`
    if (title === WAITING_TITLE) return
    const before = here
    here = { pathname, search, title }
    // The page that was opened first is announced by the browser.
    if (before === null || !isArrival(before, here)) return
    announce(title)
    if (!isTaken(document.activeElement)) heading.current?.focus({ preventScroll: true })
  }, [title, pathname, search, heading])
}

/** The screen that was announced last, for the live region. */
export function useAnnounced(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => announced,
  )
}

function announce(title: string): void {
  announced = title
  for (const listener of listeners) listener()
}

/** Whether the focus is where somebody types or decides. */
function isTaken(focused: Element | null): boolean {
  const typing = focused?.matches('input, textarea, select') ?? false
  return typing || (focused?.closest('[role="dialog"], [role="alertdialog"]') ?? null) !== null
}
