import { classNames } from '#src/class-names.ts'
import { clockText } from '#src/countdown.ts'
import styles from '#src/countdown-ring.module.css'
import { useText } from '#src/text.ts'

/** From here the ring is amber. */
const HURRY_SECONDS = 10

type CountdownRingProps = {
  /** Whole seconds left, from `useSecondsLeft`; null while it is not known. */
  seconds: number | null
  /** Seconds of the whole ring. */
  total: number
  /** `s`: a small ring with the time beside it; `m`: with `lead` too; `l`: the time inside. */
  size?: 's' | 'm' | 'l'
  /** Under the time in the large ring, such as 'to seal'. */
  caption?: string | undefined
  /** Before the time, such as 'Draw in'; then `over` is said before both. */
  lead?: string | undefined
  /** Shown instead of the time when none is left: 'Sealed', 'Closed'. */
  over: string
}

/** The round's clock: a ring in the game's tint that empties, with minutes and seconds. */
export function CountdownRing({
  seconds,
  total,
  size = 'l',
  caption,
  lead,
  over,
}: CountdownRingProps) {
  const t = useText()
  const hasTime = seconds !== null
  const running = hasTime && seconds > 0
  const share = running ? Math.min(1, seconds / total) : 0
  const time = clockText(seconds ?? 0)
  const left = lead ? `${over}. ${lead} ${time}` : t('clock.left', { time })
  const label = running ? left : hasTime ? over : undefined
  return (
    <div
      className={classNames(styles.ring, styles[size], 'num')}
      data-hurry={running && seconds <= HURRY_SECONDS}
      role="timer"
      aria-label={label}
    >
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle className={styles.track} cx="50" cy="50" r="44" />
        <circle
          className={styles.hand}
          cx="50"
          cy="50"
          r="44"
          pathLength="100"
          strokeDasharray={`${share * 100} 100`}
          data-empty={share === 0}
        />
      </svg>
      <span className={styles.words} aria-hidden="true">
        {size !== 's' && running && lead && <span className={styles.caption}>{lead}</span>}
        <span className={styles.time} data-word={!running} translate={running ? 'no' : undefined}>
          {running ? time : hasTime ? over : '–:––'}
        </span>
        {size === 'l' && running && caption && <span className={styles.caption}>{caption}</span>}
      </span>
    </div>
  )
}
