import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { useLocale } from '#src/i18n/text.ts'
import { classNames } from '#src/parts/class-names.ts'

type AmountTextProps = {
  /** Wire form (`"10.50"`) or micro-units. */
  value: string | Amount
  decimals?: 'two' | 'all'
  /** A movement: with a sign, and green if it is positive. */
  signed?: boolean
  /** The unit after it; by default `u`. */
  unit?: string | false
  className?: string | undefined
}

/**
 * An exact amount, never broken over two lines. A browser that translates the page leaves it alone: React could no longer
 * change its two texts.
 */
export function AmountText({
  value,
  decimals = 'two',
  signed = false,
  unit = 'u',
  className,
}: AmountTextProps) {
  const { tag } = useLocale()
  const amount = typeof value === 'string' ? amountFromWire(value) : value
  return (
    <span
      translate="no"
      className={classNames('nowrap', 'num', signed && amount > 0n && 'ink-in', className)}
    >
      {amountText(amount, { tag, decimals, plus: signed })}
      {unit && <span>{`\u00a0${unit}`}</span>}
    </span>
  )
}
