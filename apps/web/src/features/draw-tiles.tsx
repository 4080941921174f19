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
  /** The round's number, if its draw is revealed: tile by tile, in under a second. Without it there is no animation. */
  reveal?: string | undefined
}

/** How long a draw's tiles, sum and labels take, in milliseconds: what follows from a draw is shown after it. */
export const REVEAL_MS = 1_100

/**
 * The number of a round whose draw is revealed: it came while it was watched, and was new then. What is there at first is
 * not revealed.
 */
export function useNewDraw(drawn: string, isNew: boolean): string | undefined {
  const [seen, setSeen] = useState({ drawn, isNew: false })
  if (drawn !== seen.drawn) setSeen({ drawn, isNew })
  return seen.isNew ? drawn : undefined
}

export function DrawTiles({
  digits: drawn,
  voided = false,
  waiting,
  size = 'm',
  reveal,
}: DrawTilesProps) {
  const t = useText()
  const digits = waiting === undefined ? drawn : null
  const sum = digits && sumOfDigits(digits)
  const label = digits
    ? t('draw.label', { first: digits[0], second: digits[1], third: digits[2], sum: sum ?? 0 })
    : (waiting ?? t(voided ? 'draw.voided' : 'draw.none'))
  const none = waiting === undefined ? '–' : ''
  return (
    <span
      key={reveal}
      translate="no"
      className={classNames(styles.draw, styles[size], 'num', reveal && digits && styles.reveal)}
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
  return (
    <span key={reveal} className={classNames(styles.after, reveal && styles.late)}>
      {children}
    </span>
  )
}
