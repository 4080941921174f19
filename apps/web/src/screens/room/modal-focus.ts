import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'

/** Live regions: they stay reachable for screen readers while a modal is open. */
const LIVE = '[aria-live], [role="status"], [role="alert"], [role="log"], output'

/**
 * Focuses an open modal, closes it by Escape, makes everything else inert, and afterwards restores
 * the focus.
 */
export function useModalFocus(
  /** The dialog, and its ground: the element with the veil and the area to tap beside it. */
  {
    modal,
    ground,
  }: { modal: RefObject<HTMLElement | null>; ground: RefObject<HTMLElement | null> },
  { open, onEscape }: { open: boolean; onEscape: () => void },
): void {
  const close = useEffectEvent(onEscape)

  useLayoutEffect(() => {
    const element = modal.current
    if (!open || !element || !ground.current) return
    const before = document.activeElement
    element.focus({ preventScroll: true })
    const release = makeOthersInertSoon(ground.current)

    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.isComposing || isCovered(element)) return
      event.preventDefault()
      close()
    }
    // In the capture phase: a dialog above may close itself before the event bubbles here.
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => {
      document.removeEventListener('keydown', onKeyDown, { capture: true })
      release()
      // The focus stays if another element has taken it meanwhile.
      queueMicrotask(() => {
        const { activeElement } = document
        const free = activeElement === document.body || element.contains(activeElement)
        if (free && before instanceof HTMLElement) before.focus({ preventScroll: true })
      })
    }
  }, [modal, ground, open])
}

/** Whether a dialog above has made it inert. */
function isCovered(element: HTMLElement | null): boolean {
  return element?.closest('[inert], [aria-hidden="true"]') !== null
}

/** After the sheet has slid up, so that the change of styles delays no frame. */
const TRAP_AFTER_MS = 400

/**
 * Makes everything outside the ground inert: after it has appeared (until then the ground covers
 * everything and has the focus), but before a first key could move the focus out.
 *
 * @returns how to undo it
 */
function makeOthersInertSoon(ground: HTMLElement): () => void {
  // Collected now, so that a dialog that opens above is not among them. Their contents are
  // inspected later, because that would delay the opening.
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
  const timer = setTimeout(hold, TRAP_AFTER_MS)
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
