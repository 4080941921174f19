import { Alert, Stack } from '@mui/material'
import type { ReplyOf, RequestOf, Route } from '@sum28/contract/route.ts'
import { type ReactNode, useState } from 'react'
import { useTranslate } from 'react-admin'
import { call } from '#src/data/call.ts'
import { type Failure, failureOf } from '#src/data/failure.ts'
import { SignInField } from '#src/sign-in/sign-in-field.tsx'

type CallFormProps = {
  /** The text above the fields. */
  intro?: ReactNode
  failure: Failure | null
  submit: () => Promise<void>
  children: ReactNode
}

/** A form of the sign-in: its text, the failure of the last call, and its fields. */
export function CallForm({ intro, failure, submit, children }: CallFormProps) {
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

export type Credentials = { account: string; password: string }

type CredentialFieldsProps = {
  who: Credentials
  setWho: (who: Credentials) => void
  /** A key of the catalog. */
  passwordLabel: string
  failure: Failure | null
}

/** Name and password, the first fields of each sign-in form. */
export function CredentialFields({ who, setWho, passwordLabel, failure }: CredentialFieldsProps) {
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

/** A call without a session: its state, and the failure of the last one. */
export function useSignInCall() {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  /** Runs calls and ceremonies; null if one failed. */
  async function run<Result>(work: () => Promise<Result>): Promise<Result | null> {
    setPending(true)
    setFailure(null)
    try {
      return await work()
    } catch (error) {
      setFailure(failureOf(error))
      return null
    } finally {
      setPending(false)
    }
  }
  const attempt = <R extends Route>(route: R, request: RequestOf<R>): Promise<ReplyOf<R> | null> =>
    run(() => call(route, request))
  return { run, attempt, pending, failure, setFailure }
}
