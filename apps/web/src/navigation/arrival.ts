/**
 * What happens when another screen opens: screen reader users are told, by the focus and by an announcement, and the page
 * is scrolled to where it was.
 */
import { createStore } from '@sum28/ui/store.ts'
import { type RefObject, useEffect } from 'react'
import { useLocation } from '#src/navigation/navigation.tsx'

/** The heading of a screen whose name is still loading. */
export const WAITING_TITLE = '…'

type Location = { readonly pathname: string; readonly search: string; readonly title: string }

let here: Location | null = null
/** What the live region says: the screen that came last, or what has come on it since. */
export const announced = createStore('')

/** Tells screen reader users a text when it comes: a live region that came with its text would not be read. */
export function useAnnounced(text: string): void {
  useEffect(() => {
    announced.set(text)
    return () => announced.set('')
  }, [text])
}

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

/** The scroll position of each history entry. */
const offsets = new Map<string, number>()

/** How long a list may take to grow to its old height. */
const RESTORE_MS = 1_000

/** Where the browser itself puts a page that is loaded. */
let isAsLoaded = true

/** Restores the scroll position on going back; a newly opened screen starts at its top. */
export function useScrollMemory(): void {
  const location = useLocation()

  // With each move, also one within an entry of the history.
  useEffect(() => {
    const { key, returned: goingBack } = location
    const stop = isAsLoaded ? () => {} : scrollTo(goingBack ? (offsets.get(key) ?? 0) : 0)
    isAsLoaded = false
    const keepOffset = () => offsets.set(key, window.scrollY)
    window.addEventListener('scroll', keepOffset, { passive: true })
    return () => {
      stop()
      window.removeEventListener('scroll', keepOffset)
    }
  }, [location])
}

/** Scrolls there as soon as the page is long enough; gives up after {@link RESTORE_MS}. */
function scrollTo(top: number): () => void {
  const until = performance.now() + RESTORE_MS
  let frame = 0
  function attempt() {
    window.scrollTo(0, top)
    const isThere = Math.abs(window.scrollY - top) < 2
    if (!isThere && performance.now() < until) frame = requestAnimationFrame(attempt)
  }
  attempt()
  return () => cancelAnimationFrame(frame)
}
