import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/parts/fields.module.css'
import { Icon } from '#src/parts/icon.tsx'

type TextFieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> & {
  label: string
  /** The fault; shown below the field and read with it. */
  error?: string | undefined
  /** A hint, shown while there is no fault. */
  hint?: string | undefined
  /** At the end inside the field, such as a button or a unit. */
  end?: ReactNode
  /** A phone must neither correct it nor begin it with a capital letter. */
  literal?: boolean
}

/** A text field with its label. Takes `ref` and all properties of an input. */
export function TextField({ label, error, hint, end, literal, ...input }: TextFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <div className={styles.box}>
        <input
          autoCapitalize={literal ? 'none' : undefined}
          autoCorrect={literal ? 'off' : undefined}
          spellCheck={literal ? false : undefined}
          {...input}
          id={id}
          className={styles.input}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error || hint ? `${id}-note` : undefined}
        />
        {end}
      </div>
    </FieldFrame>
  )
}

type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'end' | 'literal'> & {
  autoComplete: 'current-password' | 'new-password'
}

/** A password field with a button that shows the password. */
export function PasswordField(props: PasswordFieldProps) {
  const t = useText()
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      literal
      end={
        <button
          type="button"
          className={styles.end}
          aria-label={t('field.showPassword')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eyeOff' : 'eye'} size={22} />
        </button>
      }
    />
  )
}

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
      <label className={styles.tickRow}>
        <input
          {...input}
          type="checkbox"
          className="tick"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error && id}
        />
        <span className="shrink">{children}</span>
      </label>
      {error && (
        <p id={id} className="fault">
          {error}
        </p>
      )}
    </div>
  )
}
