import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useText } from '#src/i18n/text.ts'
import { useBackCloses } from '#src/parts/back-closes.ts'
import { IconButton } from '#src/parts/icon.tsx'
import styles from '#src/parts/sheet.module.css'

type PersistentSheetProps = {
  open: boolean
  onClose: () => void
  /** The button that opens it: the sheet is laid out on its press, before the release. */
  opener: RefObject<HTMLElement | null>
  title: string
  /** Below the title. */
  note: ReactNode
  /** At the end of the title's line. */
  end: ReactNode
  /** Stays at the bottom while the content scrolls. */
  footer: ReactNode
  children: ReactNode
}

/**
 * `prerender`: painted once in its place, transparent, so that the first opening needs no layout.
 * `ready`: laid out below the screen, from where it slides in. `idle`: not laid out.
 */
type Phase = 'prerender' | 'ready' | 'open' | 'leaving' | 'idle'

/** The duration of a phase. While closing, it is used only if no `transitionend` comes. */
const STEP_MS = 600

/**
 * A sheet that stays in the page while closed, laid out but hidden, so that opening it changes one
 * attribute: for a sheet that must open at once on a slow phone (docs/decisions/0069). It looks and behaves like `Sheet`.
 */
export function PersistentSheet(props: PersistentSheetProps) {
  const { open, onClose, opener, title, note, end, footer, children } = props
  const t = useText()
  const titleId = useId()
  const ground = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const veil = useRef<HTMLDivElement>(null)
  const [phase, setPhase] = useState<Phase>('prerender')
  if (open && phase !== 'open') setPhase('open')
  if (!open && phase === 'open') setPhase('leaving')
  // The clock in its head is not rendered while the sheet is closed.
  const titled = open || phase !== 'idle'

  useModalFocus({ modal: sheet, ground }, { open, onEscape: onClose })
  useSwipeDown({ sheet, veil }, { open, onSwiped: onClose })

  // In steps, so that the layout for the next opening is done before the sheet is idle.
  useEffect(() => {
    if (open || phase === 'open' || phase === 'idle') return
    const next = {
      prerender: () => setPhase('ready'),
      ready: () => setPhase('idle'),
      leaving: onLeft,
    }
    const timer = setTimeout(next[phase], STEP_MS)
    return () => clearTimeout(timer)
  }, [open, phase])

  useEffect(() => {
    const button = opener.current
    if (!button) return
    const onPress = () => setPhase((now) => (now === 'idle' ? 'ready' : now))
    button.addEventListener('pointerdown', onPress)
    return () => button.removeEventListener('pointerdown', onPress)
  }, [opener])

  function onLeft() {
    if (sheet.current) reset(sheet.current)
    setPhase('ready')
  }

  return (
    <div
      className={styles.persistent}
      ref={ground}
      data-open={open}
      data-phase={phase}
      aria-hidden={!open}
      // Otherwise the keyboard could reach it below the screen.
      inert={!open}
    >
      <div className={styles.veil} ref={veil} />
      <div className={styles.viewport}>
        {/* For touch and mouse; the keyboard has Escape and the close button. */}
        <div className={styles.beside} aria-hidden="true" onClick={onClose} />
        <div
          className={styles.sheet}
          ref={sheet}
          role="dialog"
          aria-modal="true"
          aria-labelledby={titleId}
          tabIndex={-1}
          onTransitionEnd={({ target, currentTarget, propertyName }) => {
            const slid = target === currentTarget && propertyName === 'transform'
            if (slid && !open) onLeft()
          }}
        >
          <div className={styles.grip} aria-hidden="true" />
          <div className={styles.head}>
            <div className="grow">
              <h2 className={styles.title} id={titleId}>
                {titled && title}
              </h2>
              {titled && note}
            </div>
            {titled && end}
            <IconButton icon="close" label={t('action.close')} onPress={onClose} />
          </div>
          <div className={styles.content}>{children}</div>
          <div className={styles.footer}>{footer}</div>
        </div>
      </div>
    </div>
  )
}

/** Resets scroll positions and opened details, as in a new sheet. */
function reset(sheet: HTMLElement): void {
  for (const part of [sheet, ...sheet.children]) part.scrollTop = 0
  for (const details of sheet.querySelectorAll('details')) details.open = false
}

/** Live regions: they stay reachable for screen readers while a modal is open. */
const LIVE = '[aria-live], [role="status"], [role="alert"], [role="log"], output'

/**
 * Focuses an open modal, closes it by Escape and by Android's Back, makes everything else inert, and afterwards restores
 * the focus.
 */
function useModalFocus(
  /** The dialog, and its ground: the element with the veil and the area to tap beside it. */
  {
    modal,
    ground,
  }: { modal: RefObject<HTMLElement | null>; ground: RefObject<HTMLElement | null> },
  { open, onEscape }: { open: boolean; onEscape: () => void },
): void {
  const close = useEffectEvent(onEscape)
  useBackCloses(open, onEscape)

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

export function closesAt(release: { movedPx: number; heightPx: number; tookMs: number }): boolean {
  const { movedPx, heightPx, tookMs } = release
  return movedPx > heightPx * FAR_SHARE || movedPx / Math.max(1, tookMs) > QUICK
}

/**
 * Makes a sheet follow a finger that pulls it down, by its head or by content that is scrolled to
 * its top; the veil fades with it.
 */
function useSwipeDown(
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

/** Whether no element from the touched one to the sheet is scrolled down. */
function isAtTop(target: EventTarget | null, sheet: HTMLElement): boolean {
  let element = target instanceof Element ? target : null
  for (; element && sheet.contains(element); element = element.parentElement) {
    if (element.scrollTop > 0) return false
  }
  return true
}
