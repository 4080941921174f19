import { type ReactNode, type Ref, useId, useRef } from 'react'
import styles from '#src/parts/choice-pills.module.css'
import { classNames } from '#src/parts/class-names.ts'

type ChoicePillsProps<Value extends string> = {
  /** The name of the choice, for screen readers. */
  label: string
  options: readonly { value: Value; label: ReactNode }[]
  /** Null: none of them. */
  value: Value | null
  /** `byArrow`: a key has moved to it, perhaps on the way to another one. */
  onChange: (value: Value, byArrow: boolean) => void
  /** Called when the chosen one is pressed again. */
  onChosenAgain?: () => void
  /**
   * `strip` scrolls sideways, to the page's edges; `grid` has four in a line, or two; `wrap` uses
   * as many lines as needed.
   */
  kind?: 'strip' | 'grid' | 'wrap'
  /** The id of a note that is read with each of them. */
  describedBy?: string | undefined
  /** For the chosen one, or else the first. */
  ref?: Ref<HTMLInputElement>
}

/** A choice of one, as pills. Native radio buttons: arrows move, one stop for Tab. */
export function ChoicePills<Value extends string>({
  label,
  options,
  value,
  onChange,
  onChosenAgain,
  kind = 'strip',
  describedBy,
  ref,
}: ChoicePillsProps<Value>) {
  const name = useId()
  const byArrow = useRef(false)
  const entry = options.find((option) => option.value === value) ?? options[0]
  return (
    <fieldset
      className={classNames(styles.pills, styles[kind])}
      onKeyDown={({ key }) => {
        byArrow.current = key.startsWith('Arrow')
      }}
      onKeyUp={() => {
        byArrow.current = false
      }}
    >
      <legend className="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            className={styles.input}
            name={name}
            value={option.value}
            checked={option.value === value}
            aria-describedby={describedBy}
            {...(option === entry && ref && { ref })}
            onChange={() => onChange(option.value, byArrow.current)}
            // A radio button fires no change event when it is already chosen.
            onClick={() => option.value === value && onChosenAgain?.()}
          />
          <span className={styles.face}>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
