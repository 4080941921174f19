import { type RefObject, useEffect, useRef, useState } from 'react'
import { prefersReducedMotion } from '#src/parts/reduced-motion.ts'

/** From this share of it on, a slide counts as shown. */
const SHOWN = 0.6

type SnapStrip = {
  /** For the list of slides, whose style lets the browser scroll and snap it. */
  strip: RefObject<HTMLUListElement | null>
  /** The first slide that is shown, from 0. */
  current: number
  show: (at: number) => void
}

/** A row of slides that the browser itself scrolls and snaps: which of them is shown, and a way to show another. */
export function useSnapStrip(slides: number): SnapStrip {
  const strip = useRef<HTMLUListElement>(null)
  const [current, setCurrent] = useState(0)
  /** The slide that the strip is scrolling to by itself; those that it passes do not count. */
  const movingTo = useRef<number | null>(null)

  useEffect(() => {
    if (slides < 2 || !strip.current) return
    const items = [...strip.current.children]
    const shown = new Set<number>()
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, intersectionRatio } of changes) {
          const at = items.indexOf(target)
          if (intersectionRatio >= SHOWN) shown.add(at)
          else shown.delete(at)
        }
        const first = Math.min(...shown)
        if (shown.size === 0 || (movingTo.current ?? first) !== first) return
        movingTo.current = null
        setCurrent(first)
      },
      { root: strip.current, threshold: SHOWN },
    )
    for (const item of items) observer.observe(item)
    // From then on a person moves it.
    const takeOver = () => {
      movingTo.current = null
    }
    const [list, taken] = [strip.current, new AbortController()]
    for (const event of ['pointerdown', 'wheel'] as const) {
      list.addEventListener(event, takeOver, { passive: true, signal: taken.signal })
    }
    return () => {
      observer.disconnect()
      taken.abort()
    }
  }, [slides])

  function show(at: number) {
    const [first, slide] = [strip.current?.children[0], strip.current?.children[at]]
    if (!(first instanceof HTMLElement && slide instanceof HTMLElement)) return
    movingTo.current = at
    if (strip.current) glideTo(strip.current, slide.offsetLeft - first.offsetLeft)
    setCurrent(at)
  }

  return { strip, current, show }
}

const GLIDE_MS = 400

/**
 * Scrolls at once, and lets the slides move there from where they were. Unlike a smooth scroll that takes no work of
 * the main thread while they move.
 */
function glideTo(list: HTMLElement, left: number): void {
  const before = list.scrollLeft
  // A slide that is moved would be snapped to where it is drawn.
  list.style.scrollSnapType = 'none'
  list.scrollTo({ left, behavior: 'instant' })
  const way = list.scrollLeft - before
  const duration = prefersReducedMotion() ? 0 : GLIDE_MS
  const moves = [...list.children].map((slide) => {
    const keyframes = { transform: [`translateX(${way}px)`, 'none'] }
    return slide.animate(keyframes, { duration, easing: 'ease-in-out' }).finished
  })
  void Promise.allSettled(moves).then(() => {
    if (list.getAnimations({ subtree: true }).length === 0) list.style.scrollSnapType = ''
  })
}
