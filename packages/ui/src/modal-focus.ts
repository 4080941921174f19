import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Regions that a screen reader announces by themselves: they stay reachable whatever is open. */
const LIVE = '[aria-live], [role="status"], [role="alert"], [role="log"], output'

/**
 * Gives an open modal the focus, closes it by Escape, puts everything else out of reach, and takes
 * the focus back to where it was.
 */
export function useModalFocus(
  /** The dialog itself, and what it lies on with its veil and what there is to tap beside it. */
  {
    modal,
    ground,
  }: { modal: RefObject<HTMLElement | null>; ground: RefObject<HTMLElement | null> },
  { open, onEscape }: { open: boolean; onEscape: () => void },
): void {
  const onKey = useRef(onEscape)
  useLayoutEffect(() => {
    onKey.current = onEscape
  }, [onEscape])

  useLayoutEffect(() => {
    const element = modal.current
    if (!open || !element || !ground.current) return
    const before = document.activeElement
    element.focus({ preventScroll: true })
    const release = holdOthersSoon(ground.current)

    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.isComposing || isCovered(element)) return
      event.preventDefault()
      onKey.current()
    }
    // In the capture phase: a dialog above may have closed itself before the event bubbles here.
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => {
      document.removeEventListener('keydown', onKeyDown, { capture: true })
      release()
      // Where something else has taken the focus meanwhile, it stays there.
      queueMicrotask(() => {
        const { activeElement } = document
        const free = activeElement === document.body || element.contains(activeElement)
        if (free && before instanceof HTMLElement) before.focus({ preventScroll: true })
      })
    }
  }, [modal, ground, open])
}

/** Whether a dialog above has put it out of reach. */
function isCovered(element: HTMLElement | null): boolean {
  return element?.closest('[inert], [aria-hidden="true"]') !== null
}

/** The sheet has slid up by then, so that the new calculation of the page's styles delays no frame. */
const HOLD_AFTER_MS = 400

/**
 * Makes all beside the ground inert: not before it has appeared, since until then its own ground
 * covers everything and the focus is in it, but before a first key could take the focus out.
 *
 * @returns how to undo it
 */
function holdOthersSoon(ground: HTMLElement): () => void {
  // Taken now, so that a dialog that opens above is not among them. Their contents are looked at
  // later, because that would delay the opening.
  const around = siblingsAround(ground)
  let held: Element[] = []
  function hold() {
    forget()
    held = around.flatMap(allButLive).filter((element) => !element.hasAttribute('inert'))
    for (const element of held) element.setAttribute('inert', '')
  }
  function forget() {
    clearTimeout(timer)
    document.removeEventListener('keydown', hold, { capture: true })
  }
  const timer = setTimeout(hold, HOLD_AFTER_MS)
  document.addEventListener('keydown', hold, { capture: true })
  return () => {
    forget()
    for (const element of held) element.removeAttribute('inert')
  }
}

/** The elements that are neither the ground nor one of its ancestors. */
function siblingsAround(ground: Element): Element[] {
  const siblings: Element[] = []
  for (let inner = ground; inner !== document.body && inner.parentElement; ) {
    const outer: Element = inner.parentElement
    for (const sibling of outer.children) if (sibling !== inner) siblings.push(sibling)
    inner = outer
  }
  return siblings
}

/** The element, or those of its descendants that neither are nor contain a live region. */
function allButLive(element: Element): Element[] {
  if (element.matches(LIVE)) return []
  if (element.querySelector(LIVE) === null) return [element]
  return [...element.children].flatMap(allButLive)
}
