import { type ReactNode, useId } from 'react'
import styles from '#src/ui/segmented.module.css'

type SegmentedProps<Value extends string> = {
  /** What is chosen, for screen readers. */
  label: string
  options: readonly {
    value: Value
    label: ReactNode /** Takes this game's tint. */
    game?: string
  }[]
  value: Value
  onChange: (value: Value) => void
}

/** One of a few, side by side. Native radio buttons: arrows move, one stop for Tab. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentedProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.track}>
      <legend className="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option} data-game={option.game}>
          <input
            type="radio"
            className={styles.input}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className={styles.face}>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
