import { type ReactNode, useId } from 'react'
import styles from '#src/switch-row.module.css'

type SwitchRowProps = {
  title: string
  /** A second, quieter line. */
  note?: ReactNode
  on: boolean
  onChange: (on: boolean) => void
  disabled?: boolean
}

/** A list row with a switch; the whole row can be tapped. */
export function SwitchRow({ title, note, on, onChange, disabled = false }: SwitchRowProps) {
  const id = useId()
  return (
    <label className={styles.row}>
      <span className="lines grow">
        <span id={`${id}-title`} className={styles.title}>
          {title}
        </span>
        {note && (
          <span id={`${id}-note`} className={styles.note}>
            {note}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        className={styles.input}
        checked={on}
        aria-checked={on}
        disabled={disabled}
        aria-labelledby={`${id}-title`}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={styles.track} aria-hidden="true" />
    </label>
  )
}
