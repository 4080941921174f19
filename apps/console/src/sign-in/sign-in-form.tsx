import { Button, Stack } from '@mui/material'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { SignInField } from '#src/sign-in/sign-in-field.tsx'
import { type Named, NamedFields, TryForm } from '#src/sign-in/try-form.tsx'
import { useTry } from '#src/sign-in/use-try.ts'

/** Name, password and the code of the authenticator, or a recovery code in its place. */
export function SignInForm({ enter, enrol }: { enter: () => void; enrol: (named: Named) => void }) {
  const translate = useTranslate()
  const { attempt, pending, failure } = useTry()
  const [who, setWho] = useState<Named>({ account: '', password: '' })
  const [code, setCode] = useState('')
  const [recovering, setRecovering] = useState(false)

  async function submit() {
    const proof = recovering ? { recovery_code: code } : { totp: code }
    const reply = await attempt(staffLogin, { ...who, ...proof, in_cookie: true })
    if (reply) enter()
  }

  return (
    <TryForm failure={failure} submit={submit}>
      <NamedFields
        who={who}
        setWho={setWho}
        passwordLabel="console.signIn.password"
        failure={failure}
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
        <Button variant="text" onClick={() => enrol(who)}>
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
    </TryForm>
  )
}
