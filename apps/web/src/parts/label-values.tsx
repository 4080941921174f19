import type { ComponentProps, ReactNode } from 'react'
import { AmountText } from '#src/parts/amount.tsx'
import styles from '#src/parts/label-values.module.css'

type LabelValuesProps = {
  /** `boxed`: in a box of its own within a dialog or card; `rows`: the content of a card of rows. */
  kind?: 'plain' | 'boxed' | 'rows'
  children: ReactNode
}

/** Labels, each with its value at the end of the line. */
export function LabelValues({ kind = 'plain', children }: LabelValuesProps) {
  return (
    <dl className={styles.list} data-kind={kind}>
      {children}
    </dl>
  )
}

type LabelValueProps = {
  label: ReactNode
  /** `strong`: the total of the lines above; `part`: a part of the line above. */
  weight?: 'usual' | 'strong' | 'part'
  /** After the value, such as a button that copies it. */
  end?: ReactNode
  children: ReactNode
}

/** A line of {@link LabelValues}. */
export function LabelValue({ label, weight = 'usual', end, children }: LabelValueProps) {
  return (
    <div className={styles.line} data-weight={weight} data-end={end !== undefined}>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
      {end !== undefined && <dd className={styles.end}>{end}</dd>}
    </div>
  )
}

type LabelAmountProps = Pick<LabelValueProps, 'label' | 'weight'> &
  ComponentProps<typeof AmountText>

export function LabelAmount({ label, weight = 'usual', ...amount }: LabelAmountProps) {
  return (
    <LabelValue label={label} weight={weight}>
      <AmountText {...amount} />
    </LabelValue>
  )
}
