import { OTPField } from '@base-ui/react/otp-field'
import { asciiDigits } from '@sum28/domain/typed-digits.ts'
import { type ReactNode, type Ref, useId } from 'react'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/parts/code-field.module.css'
import { FieldFrame } from '#src/parts/fields.tsx'

const LENGTH = 6
/** The words by which password managers are told that a field is not theirs; `off` alone is often not heard. */
const NOT_FOR_MANAGERS = {
  'data-1p-ignore': '',
  'data-bwignore': '',
  'data-lpignore': 'true',
  'data-form-type': 'other',
}

const SLOTS = Array.from({ length: LENGTH }, (_, at) => at)

type CodeFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  /** Called with the sixth digit, typed, pasted or filled in by the phone. */
  onComplete?: ((value: string) => void) | undefined
  onBlur?: (() => void) | undefined
  name?: string
  error?: string | undefined
  hint?: string | undefined
  /** Shown as dots. */
  secret?: boolean
  /** A code that the player remembers: the phone must not offer one from a message. */
  known?: boolean
  disabled?: boolean
  /** At the end of the label's line, such as 'send code'. */
  end?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/**
 * Six digits in six boxes. Takes a paste and the phone's autofill, and digits of any script. Its boxes are never of the
 * type `password`, even if they are secret: a browser would offer a password there, and keep the code as one.
 */
export function CodeField({
  label,
  value,
  onChange,
  onComplete,
  onBlur,
  name,
  error,
  hint,
  secret = false,
  known = secret,
  disabled = false,
  end,
  ref,
}: CodeFieldProps) {
  const t = useText()
  const id = useId()
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint} end={end}>
      <OTPField.Root
        id={id}
        length={LENGTH}
        value={value}
        onValueChange={(next) => onChange(next)}
        onValueComplete={(complete) => onComplete?.(complete)}
        onBlur={onBlur}
        {...(name && { name })}
        validationType="none"
        normalizeValue={(typed) => asciiDigits(typed).replace(/\D/g, '')}
        inputMode="numeric"
        autoComplete={known ? 'off' : 'one-time-code'}
        disabled={disabled}
        className={styles.boxes}
        aria-label={label}
      >
        {SLOTS.map((at) => (
          <OTPField.Input
            key={at}
            {...(at === 0 && ref && { ref })}
            // Not the group's, which the focus need not enter anew.
            aria-describedby={at === 0 && (error || hint) ? `${id}-note` : undefined}
            {...(known && NOT_FOR_MANAGERS)}
            className={styles.box}
            data-secret={secret || undefined}
            aria-invalid={error !== undefined || undefined}
            aria-label={at === 0 ? undefined : t('field.digitOf', { digit: at + 1, count: LENGTH })}
          />
        ))}
      </OTPField.Root>
    </FieldFrame>
  )
}
