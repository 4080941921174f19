import { type RefObject, useEffect, useRef } from 'react'

/** A finger that has gone so far, in pixels, goes somewhere. */
const BEGIN_PX = 6
/** Let go below this share of its own height, a sheet closes … */
const FAR_SHARE = 0.35
/** … or when the finger was so quick, in pixels a millisecond. */
const QUICK = 0.5

type Move = { readonly x: number; readonly y: number }

/** What a finger that moved so far means to do; null while it has hardly moved. */
export function meaningOf({ x, y }: Move, atTop: boolean): 'swipe' | 'other' | null {
  if (Math.hypot(x, y) < BEGIN_PX) return null
  return y > Math.abs(x) && atTop ? 'swipe' : 'other'
}

/** Whether a sheet that is let go closes. */
export function closesAt(let_: { movedPx: number; heightPx: number; tookMs: number }): boolean {
  const { movedPx, heightPx, tookMs } = let_
  return movedPx > heightPx * FAR_SHARE || movedPx / Math.max(1, tookMs) > QUICK
}

/**
 * Lets a sheet follow a finger that draws it down, from its head or from content at its top; the
 * veil behind it gives way with it.
 */
export function useSwipeDown(
  { sheet, veil }: { sheet: RefObject<HTMLElement | null>; veil: RefObject<HTMLElement | null> },
  { open, onSwiped }: { open: boolean; onSwiped: () => void },
): void {
  const swiped = useRef(onSwiped)
  useEffect(() => {
    swiped.current = onSwiped
  }, [onSwiped])

  useEffect(() => {
    const element = sheet.current
    const ground = veil.current
    if (!open || !element || !ground) return
    let from: { x: number; y: number; at: number; target: EventTarget | null } | null = null
    let meaning: 'swipe' | 'other' | null = null
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
      meaning ??= meaningOf(moved, isAtTop(from.target, element))
      if (meaning !== 'swipe') return
      // Not a scroll, nor the browser's own pull to load anew.
      if (event.cancelable) event.preventDefault()
      movedPx = Math.max(0, moved.y)
      element.dataset.swiping = ''
      ground.dataset.swiping = ''
      element.style.transform = `translateY(${movedPx}px)`
      ground.style.opacity = `${1 - movedPx / element.offsetHeight}`
    }
    function letGo({ timeStamp }: TouchEvent) {
      if (!element || !from || meaning !== 'swipe') return end()
      const tookMs = timeStamp - from.at
      const closes = closesAt({ movedPx, heightPx: element.offsetHeight, tookMs })
      end()
      if (closes) swiped.current()
    }
    function end() {
      from = null
      meaning = null
      movedPx = 0
      if (!element || !ground || element.dataset.swiping === undefined) return
      delete element.dataset.swiping
      delete ground.dataset.swiping
      element.style.transform = ''
      ground.style.opacity = ''
    }
    element.addEventListener('touchstart', begin, { passive: true })
    element.addEventListener('touchmove', move, { passive: false })
    element.addEventListener('touchend', letGo)
    element.addEventListener('touchcancel', end)
    return () => {
      end()
      element.removeEventListener('touchstart', begin)
      element.removeEventListener('touchmove', move)
      element.removeEventListener('touchend', letGo)
      element.removeEventListener('touchcancel', end)
    }
  }, [sheet, veil, open])
}

/** Whether nothing between what was touched and the sheet is scrolled down. */
function isAtTop(target: EventTarget | null, sheet: HTMLElement): boolean {
  let element = target instanceof Element ? target : null
  for (; element && element !== sheet; element = element.parentElement) {
    if (element.scrollTop > 0) return false
  }
  return true
}
