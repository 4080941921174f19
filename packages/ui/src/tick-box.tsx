import type { ComponentProps, ReactNode } from 'react'
import { Icon } from '#src/icon.tsx'
import styles from '#src/tick-box.module.css'

type TickBoxProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  /** The label; may contain a link. */
  children: ReactNode
  invalid?: boolean
}

/** A checkbox with its label. Takes `ref` and all properties of an input. */
export function TickBox({ children, invalid = false, ...input }: TickBoxProps) {
  return (
    <label className={styles.row}>
      <input
        {...input}
        type="checkbox"
        className={styles.input}
        aria-invalid={invalid || undefined}
      />
      <span className={styles.box}>
        <Icon name="check" size={16} />
      </span>
      <span className={styles.words}>{children}</span>
    </label>
  )
}
