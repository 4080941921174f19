import { type ReactNode, useId } from 'react'
import styles from '#src/choice-pills.module.css'
import { classNames } from '#src/class-names.ts'

type ChoicePillsProps<Value extends string> = {
  /** What is chosen, for screen readers. */
  label: string
  options: readonly { value: Value; label: ReactNode }[]
  /** Null: none of them. */
  value: Value | null
  onChange: (value: Value) => void
  /** The chosen one was pressed once more. */
  onChosenAgain?: () => void
  /**
   * `strip` is scrolled sideways, to the page's edges; `grid` has four in a line, or two; `wrap`
   * begins another line where one is full.
   */
  kind?: 'strip' | 'grid' | 'wrap'
}

/** One of several, as pills. Native radio buttons: arrows move, one stop for Tab. */
export function ChoicePills<Value extends string>({
  label,
  options,
  value,
  onChange,
  onChosenAgain,
  kind = 'strip',
}: ChoicePillsProps<Value>) {
  const name = useId()
  return (
    <fieldset className={classNames(styles.pills, styles[kind])}>
      <legend className="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            className={styles.input}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            // Of what is chosen already a radio button tells no change.
            onClick={() => option.value === value && onChosenAgain?.()}
          />
          <span className={styles.face}>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
