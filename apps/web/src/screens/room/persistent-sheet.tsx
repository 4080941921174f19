import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useText } from '#src/i18n/text.ts'
import { Icon } from '#src/parts/icon.tsx'
import styles from '#src/parts/sheet.module.css'
import { useModalFocus } from '#src/screens/room/modal-focus.ts'
import { useSwipeDown } from '#src/screens/room/swipe-down.ts'

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
  /** A share of the screen's height, such as `60%`. */
  height: `${number}%`
  /** Stays at the bottom while the content scrolls. */
  footer: ReactNode
  /** The game whose colour is used inside. */
  game: string | undefined
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
  const { open, onClose, opener, title, note, end, height, footer, game, children } = props
  const t = useText()
  const titleId = useId()
  const ground = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const veil = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
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
    if (content.current) reset(content.current)
    setPhase('ready')
  }

  const style = { '--sheet-height': `${Number.parseFloat(height)}dvh` } as CSSProperties
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
          style={style}
          data-game={game}
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
            <button
              type="button"
              className={styles.close}
              aria-label={t('action.close')}
              onClick={onClose}
            >
              <Icon name="close" size={20} />
            </button>
          </div>
          <div className={styles.content} ref={content}>
            {children}
          </div>
          <div className={styles.footer}>{footer}</div>
        </div>
      </div>
    </div>
  )
}

/** Resets scroll positions and opened details, as in a new sheet. */
function reset(content: HTMLElement): void {
  content.scrollTop = 0
  for (const details of content.querySelectorAll('details')) details.open = false
}
