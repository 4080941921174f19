import { type Digits, sumOfDigits } from '@sum28/domain/digits.ts'
import { classNames } from '#src/class-names.ts'
import styles from '#src/draw-tiles.module.css'
import { useText } from '#src/text.ts'

type DrawTilesProps = {
  /** The three digits, or null while there is no draw. */
  digits: Digits | null
  size?: 's' | 'm' | 'l'
  /**
   * The round's number: each change reveals the draw tile by tile, in under a second. Without it
   * there is no animation.
   */
  reveal?: string | undefined
}

/** A draw: three tiles and their sum. */
export function DrawTiles({ digits, size = 'm', reveal }: DrawTilesProps) {
  const t = useText()
  const sum = digits && sumOfDigits(digits)
  const label = digits
    ? t('draw.label', { first: digits[0], second: digits[1], third: digits[2], sum: sum ?? 0 })
    : t('draw.none')
  return (
    <span
      key={reveal ?? 'still'}
      translate="no"
      className={classNames(styles.draw, styles[size], 'num', reveal && styles.reveal)}
      role="img"
      aria-label={label}
    >
      {[0, 1, 2].map((at) => (
        <span key={at} className={styles.tile} data-empty={digits === null}>
          {digits?.[at] ?? '–'}
        </span>
      ))}
      <span className={styles.equals}>=</span>
      <span className={styles.sum}>{sum ?? '–'}</span>
    </span>
  )
}
