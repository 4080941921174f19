import { amountFromWire } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { useRecordContext } from 'react-admin'

/** The language of the console's numbers; staff read English. */
export const TAG = 'en-GB'

/** An amount as the app shows it, with its unit. */
export function MoneyText({ value, plus }: { value: string; plus?: boolean }) {
  return (
    <span className="num">
      {amountText(amountFromWire(value), { tag: TAG, decimals: 'all', ...(plus && { plus }) })} u
    </span>
  )
}

/** A field of the record that is an amount on the wire: decimal text. */
export function Money({ source }: { source: string }) {
  const record = useRecordContext()
  const value = record?.[source]
  return typeof value === 'string' ? <MoneyText value={value} /> : '—'
}
