import { Alert, Button, Stack } from '@mui/material'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import type { Named } from '#src/sign-in/enrolment.tsx'
import { SignInField } from '#src/sign-in/sign-in-field.tsx'
import { useTry } from '#src/sign-in/use-try.ts'

/** Name, password and the code of the authenticator, or a recovery code in its place. */
export function SignInForm({ enter, enrol }: { enter: () => void; enrol: (named: Named) => void }) {
  const translate = useTranslate()
  const { attempt, pending, failure } = useTry()
  const [account, setAccount] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [recovering, setRecovering] = useState(false)

  async function submit() {
    const proof = recovering ? { recovery_code: code } : { totp: code }
    const reply = await attempt(staffLogin, { account, password, ...proof, in_cookie: true })
    if (reply) enter()
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Stack sx={{ gap: 2 }}>
        {failure && <Alert severity="error">{translate(failure.text, { _: failure.text })}</Alert>}
        <SignInField
          name="account"
          label="console.signIn.name"
          value={account}
          set={setAccount}
          failure={failure}
          autoComplete="username"
          autoFocus
        />
        <SignInField
          name="password"
          label="console.signIn.password"
          value={password}
          set={setPassword}
          failure={failure}
          type="password"
          autoComplete="current-password"
        />
        <SignInField
          name={recovering ? 'recovery_code' : 'totp'}
          label={recovering ? 'console.signIn.recoveryCode' : 'console.signIn.code'}
          value={code}
          set={setCode}
          failure={failure}
          autoComplete="one-time-code"
          inputMode={recovering ? 'text' : 'numeric'}
        />
        <Button type="submit" variant="contained" size="large" loading={pending}>
          {translate('ra.auth.sign_in')}
        </Button>
        <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 1, flexWrap: 'wrap' }}>
          <Button variant="text" onClick={() => enrol({ account, password })}>
            {translate('console.signIn.first')}
          </Button>
          <Button
            variant="text"
            onClick={() => {
              setRecovering(!recovering)
              setCode('')
            }}
          >
            {translate(recovering ? 'console.signIn.useCode' : 'console.signIn.useRecovery')}
          </Button>
        </Stack>
      </Stack>
    </form>
  )
}
