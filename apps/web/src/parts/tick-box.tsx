import { type ComponentProps, type ReactNode, useId } from 'react'
import { Icon } from '#src/parts/icon.tsx'
import styles from '#src/parts/tick-box.module.css'

type TickBoxProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  /** The label; may contain a link. */
  children: ReactNode
  /** The fault; shown below the label and read with the box. */
  error?: string | undefined
}

/** A checkbox with its label. Takes `ref` and all properties of an input. */
export function TickBox({ children, error, ...input }: TickBoxProps) {
  const id = useId()
  return (
    <div>
      <label className={styles.row}>
        <input
          {...input}
          type="checkbox"
          className={styles.input}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error && id}
        />
        <span className={styles.box}>
          <Icon name="check" size={16} />
        </span>
        <span className={styles.words}>{children}</span>
      </label>
      {error && (
        <p id={id} className="fault">
          {error}
        </p>
      )}
    </div>
  )
}
