import type { ComponentProps } from 'react'
import { Link } from '#src/navigation/navigation.tsx'
import styles from '#src/parts/button.module.css'
import { classNames } from '#src/parts/class-names.ts'

/** One primary on a screen; soft beside it; plain for the least important. */
export type ButtonKind = 'primary' | 'soft' | 'plain'

type ButtonLooks = {
  kind?: ButtonKind | undefined
  /** `s` is 44 px high, `m` 52 px. */
  size?: 's' | 'm' | undefined
  wide?: boolean | undefined
  /** For harmful actions: log out, delete. */
  danger?: boolean | undefined
}

type ButtonProps = ComponentProps<'button'> &
  ButtonLooks & {
    /** Shows a spinner instead of the label and ignores presses. */
    busy?: boolean
    /** Ignores presses and keeps the focus, which `disabled` would take away. */
    off?: boolean
  }

/** The class of a button for another element, such as a link. */
export function buttonClass({ kind = 'primary', size = 'm', wide, danger }: ButtonLooks): string {
  return classNames(
    styles.button,
    styles[kind],
    styles[size],
    wide && 'full',
    danger && styles.danger,
  )
}

/** A link to a screen that looks like a button. */
export function LinkButton({
  kind,
  size,
  wide,
  ...link
}: Omit<ButtonLooks, 'danger'> & Omit<ComponentProps<typeof Link>, 'className'>) {
  return <Link {...link} className={buttonClass({ kind, size, wide })} />
}

export function Button({
  kind,
  size,
  wide,
  danger,
  busy = false,
  off = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(buttonClass({ kind, size, wide, danger }), className)}
      // Busy is not `disabled`, which would take the focus away.
      aria-disabled={busy || off || undefined}
      aria-busy={busy || undefined}
      onClick={busy || off ? (event) => event.preventDefault() : onClick}
    >
      <span className={styles.label}>{children}</span>
      {busy && <span className={styles.spinner} aria-hidden="true" />}
    </button>
  )
}
