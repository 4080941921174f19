import {
  type ComponentProps,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
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
    <Noted id={`${id}-note`} className={styles.field} error={error} hint={hint}>
      <div className="spread-3">
        <label className="label" htmlFor={id}>
          {label}
        </label>
        {end}
      </div>
      {children}
    </Noted>
  )
}

type NotedProps = {
  /** The note's id. */
  id: string
  className?: string | undefined
  error: string | undefined
  hint?: string | undefined
  children: ReactNode
}

/**
 * A control, and the fault or hint under it. Most faults are read with the control, to which the focus goes. One that comes
 * by a key in the control itself, or while that is disabled, is an alert: nothing else would say it.
 */
export function Noted({ id, className, error, hint, children }: NotedProps) {
  const box = useRef<HTMLDivElement>(null)
  const note = useRef<HTMLParagraphElement>(null)
  /** Whether a key was pressed since the focus came. */
  const pressed = useRef(false)
  useLayoutEffect(() => {
    const acts = pressed.current && box.current?.contains(document.activeElement)
    if (error && (acts || box.current?.querySelector('input:disabled'))) {
      note.current?.setAttribute('role', 'alert')
    }
  }, [error])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only takes note of them.
    <div
      ref={box}
      className={className}
      data-invalid={error !== undefined}
      onFocus={() => {
        pressed.current = false
      }}
      onKeyDown={() => {
        pressed.current = true
      }}
    >
      {children}
      {(error || hint) && (
        // Another fault is another element, whose alert is heard.
        <p key={error} ref={note} id={id} className={error ? 'fault' : 'hint'}>
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
    <Noted id={id} error={error}>
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
    </Noted>
  )
}
