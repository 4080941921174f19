import { useEffect } from 'react'
import { useLocation } from '#src/navigation/navigation.tsx'

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
