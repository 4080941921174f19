/**
 * Notifies screen reader users that another screen has opened: by the focus, and by an announcement.
 */
import { createStore } from '@sum28/ui/store.ts'
import { type RefObject, useEffect } from 'react'
import { useLocation } from '#src/navigation/navigation.tsx'

/** The heading of a screen whose name is still loading. */
export const WAITING_TITLE = '…'

type Location = { readonly pathname: string; readonly search: string; readonly title: string }

let here: Location | null = null
/** The screen that was announced last, for the live region. */
export const announced = createStore('')

/** Whether another screen has opened: the same screen may change its name or its filter. */
export function isArrival(before: Location, after: Location): boolean {
  if (before.pathname.toLowerCase() !== after.pathname.toLowerCase()) return true
  return before.search !== after.search && before.title !== after.title
}

/**
 * Sets the document's title to the screen's. After another screen, also announces it and focuses
 * its heading, unless the screen has moved the focus itself.
 */
export function useArrival(title: string, heading: RefObject<HTMLElement | null>): void {
  const { pathname, search } = useLocation()
  useEffect(() => {
    document.title = `${title} · Sum28`
    if (title === WAITING_TITLE) return
    const before = here
    here = { pathname, search, title }
    // The browser announces the first page itself.
    if (before === null || !isArrival(before, here)) return
    announced.set(title)
    if (!isTaken(document.activeElement)) heading.current?.focus({ preventScroll: true })
  }, [title, pathname, search, heading])
}

/** Whether the focus is in a field or a dialog. */
function isTaken(focused: Element | null): boolean {
  const typing = focused?.matches('input, textarea, select') ?? false
  return typing || (focused?.closest('[role="dialog"], [role="alertdialog"]') ?? null) !== null
}
