import { TextField, type TextFieldProps } from '@mui/material'
import { asciiDigits } from '@sum28/domain/typed-digits.ts'
import { useTranslate } from 'react-admin'
import type { Failure } from '#src/data/failure.ts'

type SignInFieldProps = {
  name: string
  /** A key of the catalog. */
  label: string
  value: string
  set: (value: string) => void
  failure: Failure | null
  type?: 'text' | 'password'
  autoComplete: string
} & Pick<TextFieldProps, 'autoFocus' | 'inputMode' | 'helperText'>

/** A field of the sign-in forms, with the server's fault. */
export function SignInField(props: SignInFieldProps) {
  const { name, label, value, set, failure, type = 'text', autoComplete, inputMode } = props
  const translate = useTranslate()
  const fault = failure?.fields[name]
  return (
    <TextField
      name={name}
      label={translate(label)}
      type={type}
      value={value}
      onChange={({ target }) =>
        set(inputMode === 'numeric' ? asciiDigits(target.value).replace(/\s/g, '') : target.value)
      }
      error={fault !== undefined}
      helperText={fault ?? props.helperText}
      autoComplete={autoComplete}
      autoFocus={props.autoFocus ?? false}
      fullWidth
      slotProps={{ htmlInput: inputMode ? { inputMode } : {} }}
    />
  )
}

/** The code of the member's authenticator. */
export function CodeField(
  props: Pick<SignInFieldProps, 'value' | 'set' | 'failure' | 'autoFocus'>,
) {
  return (
    <SignInField
      {...props}
      name="totp"
      label="console.signIn.code"
      autoComplete="one-time-code"
      inputMode="numeric"
    />
  )
}
