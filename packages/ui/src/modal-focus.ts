import { type RefObject, useLayoutEffect, useRef } from 'react'

/** What speaks up by itself is heard whatever is open. */
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

    function heed(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.isComposing || isCovered(element)) return
      event.preventDefault()
      onKey.current()
    }
    // Before others hear of it: a dialog above may be gone by then.
    document.addEventListener('keydown', heed, { capture: true })
    return () => {
      document.removeEventListener('keydown', heed, { capture: true })
      release()
      // Who has given the focus to something else meanwhile keeps it there.
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

/** The sheet has slid up by then: to work out the page's styles anew takes from no frame of it. */
const HOLD_AFTER_MS = 400

/**
 * Makes all beside the ground inert: not before it has appeared, since until then its own ground
 * covers everything and the focus is in it, but before a first key could take the focus out.
 *
 * @returns how to undo it
 */
function holdOthersSoon(ground: HTMLElement): () => void {
  // What comes to lie above it meanwhile is not among them. Looking into each takes its time, and
  // that the opening does not have.
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

/** What is neither the ground nor around it. */
function siblingsAround(ground: Element): Element[] {
  const siblings: Element[] = []
  for (let inner = ground; inner !== document.body && inner.parentElement; ) {
    const outer: Element = inner.parentElement
    for (const sibling of outer.children) if (sibling !== inner) siblings.push(sibling)
    inner = outer
  }
  return siblings
}

/** The element, or what in it is neither a live region nor around one. */
function allButLive(element: Element): Element[] {
  if (element.matches(LIVE)) return []
  if (element.querySelector(LIVE) === null) return [element]
  return [...element.children].flatMap(allButLive)
}
