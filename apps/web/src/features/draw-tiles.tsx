import { type Digits, sumOfDigits } from '@sum28/domain/digits.ts'
import { type ReactNode, useState } from 'react'
import styles from '#src/features/draw-tiles.module.css'
import { useText } from '#src/i18n/text.ts'
import { classNames } from '#src/parts/class-names.ts'

type DrawTilesProps = {
  /** The three digits, or null while there is no draw. */
  digits: Digits | null
  /** Whether there will be none, because the round was voided. */
  voided?: boolean
  /** Set while the draw is being made: its words, with blank tiles. */
  waiting?: string | undefined
  size?: 's' | 'm' | 'l'
  /**
   * The round's number: each change reveals the draw tile by tile, in under a second. What is there at
   * first is not revealed. Without it there is no animation.
   */
  reveal?: string | undefined
}

/** How long a draw's tiles, sum and labels take, in milliseconds: what follows from a draw is shown after it. */
export const REVEAL_MS = 1_100

/** Whether a draw came while it was watched; what was drawn before is not revealed. */
function useReveal(issue: string | undefined): boolean {
  const [seen, setSeen] = useState({ before: issue, last: issue })
  if (issue !== seen.last) {
    // A draw that was left and is shown again was revealed already.
    setSeen({ before: issue === undefined ? seen.last : seen.before, last: issue })
  }
  return issue !== undefined && issue !== seen.before
}

export function DrawTiles({
  digits: drawn,
  voided = false,
  waiting,
  size = 'm',
  reveal,
}: DrawTilesProps) {
  const t = useText()
  const came = useReveal(reveal)
  const digits = waiting === undefined ? drawn : null
  const sum = digits && sumOfDigits(digits)
  const label = digits
    ? t('draw.label', { first: digits[0], second: digits[1], third: digits[2], sum: sum ?? 0 })
    : (waiting ?? t(voided ? 'draw.voided' : 'draw.none'))
  const none = waiting === undefined ? '–' : ''
  return (
    <span
      key={came ? reveal : 'still'}
      translate="no"
      className={classNames(styles.draw, styles[size], 'num', came && digits && styles.reveal)}
      role="img"
      aria-label={label}
    >
      {[0, 1, 2].map((at) => (
        <span key={at} className={styles.tile} data-empty={digits === null}>
          {digits?.[at] ?? none}
        </span>
      ))}
      <span className={styles.equals}>=</span>
      <span className={styles.sum}>{sum ?? none}</span>
    </span>
  )
}

/** What is said of a voided round in place of its labels. */
export function VoidedWords() {
  return <span className="caption strong ink-warn">{useText()('draw.voided')}</span>
}

/** What a draw's tiles say too, such as its labels: it appears after their sum. */
export function AfterDraw({
  reveal,
  children,
}: {
  reveal: string | undefined
  children: ReactNode
}) {
  const came = useReveal(reveal)
  return (
    <span key={came ? reveal : 'still'} className={classNames(styles.after, came && styles.late)}>
      {children}
    </span>
  )
}
