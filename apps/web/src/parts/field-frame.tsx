import type { ReactNode } from 'react'
import styles from '#src/parts/field-frame.module.css'

type FieldFrameProps = {
  /** The control's id; the note under it is `<id>-note`, for `aria-describedby`. */
  id: string
  label: string
  error?: string | undefined
  hint?: string | undefined
  /** At the end of the label's line, such as 'send code'. */
  end?: ReactNode
  children: ReactNode
}

/** The frame of every control: label above, fault or hint below. */
export function FieldFrame({ id, label, error, hint, end, children }: FieldFrameProps) {
  return (
    <div className={styles.field} data-invalid={error !== undefined}>
      <div className="spread-3">
        <label className="label" htmlFor={id}>
          {label}
        </label>
        {end}
      </div>
      {children}
      {(error || hint) && (
        <p id={`${id}-note`} className={error ? 'fault' : 'hint'}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}
