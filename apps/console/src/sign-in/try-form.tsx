import { Alert, Stack } from '@mui/material'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import type { Failure } from '#src/data/failure.ts'
import { SignInField } from '#src/sign-in/sign-in-field.tsx'

type TryFormProps = {
  /** What is said above the fields. */
  intro?: ReactNode
  failure: Failure | null
  submit: () => Promise<void>
  children: ReactNode
}

/** A form of the way in: what it says, why the last try failed, its fields. */
export function TryForm({ intro, failure, submit, children }: TryFormProps) {
  const translate = useTranslate()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Stack sx={{ gap: 2 }}>
        {intro}
        {failure && <Alert severity="error">{translate(failure.text, { _: failure.text })}</Alert>}
        {children}
      </Stack>
    </form>
  )
}

export type Named = { account: string; password: string }

type NamedFieldsProps = {
  who: Named
  setWho: (who: Named) => void
  /** A key of the catalog. */
  passwordLabel: string
  failure: Failure | null
}

/** Name and password, with which each form of the way in begins. */
export function NamedFields({ who, setWho, passwordLabel, failure }: NamedFieldsProps) {
  return (
    <>
      <SignInField
        name="account"
        label="console.signIn.name"
        value={who.account}
        set={(account) => setWho({ ...who, account })}
        failure={failure}
        autoComplete="username"
        autoFocus
      />
      <SignInField
        name="password"
        label={passwordLabel}
        value={who.password}
        set={(password) => setWho({ ...who, password })}
        failure={failure}
        type="password"
        autoComplete="current-password"
      />
    </>
  )
}
