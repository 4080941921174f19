import { type RefObject, useEffect, useEffectEvent } from 'react'

/** A movement shorter than this, in pixels, has no direction yet. */
const BEGIN_PX = 6
/** A released sheet closes if it was moved down by this share of its own height, */
const FAR_SHARE = 0.35
/** or if the finger had this speed, in pixels per millisecond. */
const QUICK = 0.5

type Move = { readonly x: number; readonly y: number }

/** The direction of a finger's movement; null while it has hardly moved. */
export function directionOf({ x, y }: Move, atTop: boolean): 'swipe' | 'other' | null {
  if (Math.hypot(x, y) < BEGIN_PX) return null
  return y > Math.abs(x) && atTop ? 'swipe' : 'other'
}

/** Whether a released sheet closes. */
export function closesAt(release: { movedPx: number; heightPx: number; tookMs: number }): boolean {
  const { movedPx, heightPx, tookMs } = release
  return movedPx > heightPx * FAR_SHARE || movedPx / Math.max(1, tookMs) > QUICK
}

/**
 * Makes a sheet follow a finger that pulls it down, by its head or by content that is scrolled to
 * its top; the veil fades with it.
 */
export function useSwipeDown(
  { sheet, veil }: { sheet: RefObject<HTMLElement | null>; veil: RefObject<HTMLElement | null> },
  { open, onSwiped }: { open: boolean; onSwiped: () => void },
): void {
  const swiped = useEffectEvent(onSwiped)

  useEffect(() => {
    const element = sheet.current
    const ground = veil.current
    if (!open || !element || !ground) return
    let from: { x: number; y: number; at: number; target: EventTarget | null } | null = null
    let direction: 'swipe' | 'other' | null = null
    let movedPx = 0

    function begin({ touches, timeStamp, target }: TouchEvent) {
      const [finger] = touches
      end()
      if (!finger || touches.length > 1) return
      from = { x: finger.clientX, y: finger.clientY, at: timeStamp, target }
    }
    function move(event: TouchEvent) {
      const [finger] = event.touches
      if (!element || !ground || !from || !finger) return
      const moved = { x: finger.clientX - from.x, y: finger.clientY - from.y }
      direction ??= directionOf(moved, isAtTop(from.target, element))
      if (direction !== 'swipe') return
      // Prevents scrolling and the browser's own pull to refresh.
      if (event.cancelable) event.preventDefault()
      movedPx = Math.max(0, moved.y)
      element.dataset.swiping = ''
      ground.dataset.swiping = ''
      element.style.transform = `translateY(${movedPx}px)`
      ground.style.opacity = `${1 - movedPx / element.offsetHeight}`
    }
    function letGo({ timeStamp }: TouchEvent) {
      if (!element || !from || direction !== 'swipe') return end()
      const tookMs = timeStamp - from.at
      const closes = closesAt({ movedPx, heightPx: element.offsetHeight, tookMs })
      end()
      if (closes) swiped()
    }
    function end() {
      from = null
      direction = null
      movedPx = 0
      if (!element || !ground || element.dataset.swiping === undefined) return
      delete element.dataset.swiping
      delete ground.dataset.swiping
      element.style.transform = ''
      ground.style.opacity = ''
    }
    const ended = new AbortController()
    const { signal } = ended
    element.addEventListener('touchstart', begin, { signal, passive: true })
    element.addEventListener('touchmove', move, { signal, passive: false })
    element.addEventListener('touchend', letGo, { signal })
    element.addEventListener('touchcancel', end, { signal })
    return () => {
      end()
      ended.abort()
    }
  }, [sheet, veil, open])
}

/** Whether no element between the touched one and the sheet is scrolled down. */
function isAtTop(target: EventTarget | null, sheet: HTMLElement): boolean {
  let element = target instanceof Element ? target : null
  for (; element && element !== sheet; element = element.parentElement) {
    if (element.scrollTop > 0) return false
  }
  return true
}
