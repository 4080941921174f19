import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Icon } from '#src/icon.tsx'
import { useModalFocus } from '#src/modal-focus.ts'
import styles from '#src/sheet.module.css'
import { useSwipeDown } from '#src/swipe-down.ts'
import { useText } from '#src/text.ts'

type KeptSheetProps = {
  open: boolean
  onClose: () => void
  /** The button that opens it: where a finger lands there, the sheet is laid out before it leaves. */
  opener: RefObject<HTMLElement | null>
  title: string
  /** At the end of the title's line, such as the clock. */
  end: ReactNode
  /** A share of the screen's height, such as `60%`. */
  height: `${number}%`
  /** Stays at the bottom while the content scrolls. */
  footer: ReactNode
  /** Tints what is inside with a game's colour. */
  game: string | undefined
  children: ReactNode
}

/**
 * Rehearsing: drawn in its place, quite transparent, so that the first opening finds all worked out.
 * Made: laid out below the screen, from where it slides in. Resting: it costs nothing.
 */
type Phase = 'rehearsing' | 'made' | 'open' | 'leaving' | 'resting'

/** From one phase to the next; for the one that leaves, where no transition tells its end. */
const STEP_MS = 600

/**
 * A sheet that stays in the page while it is closed, laid out and unseen, so that opening it is one
 * attribute: for what must be there at once on a slow phone. Looks and manners are those of `Sheet`.
 */
export function KeptSheet(props: KeptSheetProps) {
  const { open, onClose, opener, title, end, height, footer, game, children } = props
  const t = useText()
  const titleId = useId()
  const ground = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const veil = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [phase, setPhase] = useState<Phase>('rehearsing')
  if (open && phase !== 'open') setPhase('open')
  if (!open && phase === 'open') setPhase('leaving')
  // What ticks in it does not tick for nobody.
  const titled = open || phase !== 'resting'

  useModalFocus({ modal: sheet, ground }, { open, onEscape: onClose })
  useSwipeDown({ sheet, veil }, { open, onSwiped: onClose })

  // One step after the other, so that what the next opening needs is worked out before it rests.
  useEffect(() => {
    if (open || phase === 'open' || phase === 'resting') return
    const next = {
      rehearsing: () => setPhase('made'),
      made: () => setPhase('resting'),
      leaving: left,
    }
    const timer = setTimeout(next[phase], STEP_MS)
    return () => clearTimeout(timer)
  }, [open, phase])

  useEffect(() => {
    const button = opener.current
    if (!button) return
    const landed = () => setPhase((now) => (now === 'resting' ? 'made' : now))
    button.addEventListener('pointerdown', landed)
    return () => button.removeEventListener('pointerdown', landed)
  }, [opener])

  function left() {
    if (content.current) beginAnew(content.current)
    setPhase('made')
  }

  const style = { '--sheet-height': `${Number.parseFloat(height)}dvh` } as CSSProperties
  return (
    <div
      className={styles.kept}
      ref={ground}
      data-open={open}
      data-phase={phase}
      aria-hidden={!open}
      // Not by what it looks like: below the screen it could else be reached by the keyboard.
      inert={!open}
    >
      <div className={styles.veil} ref={veil} />
      <div className={styles.viewport}>
        {/* For a finger or a mouse: who uses the keyboard has Escape and the button. */}
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
            if (slid && !open) left()
          }}
        >
          <div className={styles.grip} aria-hidden="true" />
          <div className={styles.head}>
            <h2 className={styles.title} id={titleId}>
              {titled && title}
            </h2>
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

/** The next time it is shown as a sheet would be that is made for it. */
function beginAnew(content: HTMLElement): void {
  content.scrollTop = 0
  for (const details of content.querySelectorAll('details')) details.open = false
}
