import { prefersReducedMotion } from '@sum28/ui/reduced-motion.ts'
import { type RefObject, useEffect, useRef, useState } from 'react'

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
        if (shown.size > 0) setCurrent(Math.min(...shown))
      },
      { root: strip.current, threshold: SHOWN },
    )
    for (const item of items) observer.observe(item)
    return () => observer.disconnect()
  }, [slides])

  function show(at: number) {
    const [first, slide] = [strip.current?.children[0], strip.current?.children[at]]
    if (!(first instanceof HTMLElement && slide instanceof HTMLElement)) return
    const behavior = prefersReducedMotion() ? 'instant' : 'smooth'
    strip.current?.scrollTo({ left: slide.offsetLeft - first.offsetLeft, behavior })
    setCurrent(at)
  }

  return { strip, current, show }
}
