import { Box, Button, Card, Stack, Typography } from '@mui/material'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { keepFocus } from '@sum28/ui/keep-focus.ts'
import { useEffect, useState } from 'react'
import { Notification, useLogin, useTranslate } from 'react-admin'
import { signInWithPasskey } from '#src/data/passkeys.ts'
import {
  CallForm,
  CredentialFields,
  type Credentials,
  useSignInCall,
} from '#src/sign-in/call-form.tsx'
import { Enrolment } from '#src/sign-in/enrolment.tsx'
import { SignInField } from '#src/sign-in/sign-in-field.tsx'

/** Name and first password of the mailed link, which browsers do not send and the address does not keep. */
function invited(): Credentials | null {
  const [, account, password] = /^#first=([\w.-]+):([\w-]+)$/.exec(window.location.hash) ?? []
  if (account === undefined || password === undefined) return null
  window.history.replaceState(window.history.state, '', window.location.pathname)
  return { account, password }
}

/** The sign-in: name, password and code; at the first sign-in the enrolment. */
export function SignInPage() {
  const translate = useTranslate()
  const login = useLogin()
  const [enrolling, setEnrolling] = useState(invited)
  const title = translate(enrolling ? 'console.enrol.title' : 'ra.auth.sign_in')
  useEffect(() => keepFocus(document), [])
  // After a sign-out the tab still has the title of the last page.
  useEffect(() => {
    document.title = `${title} · Sum28`
  }, [title])
  const enter = () => void login({})
  return (
    <Box
      component="main"
      sx={{ minHeight: '100dvh', display: 'grid', placeItems: 'center', padding: 3 }}
    >
      <Card sx={{ width: '100%', maxWidth: 440, padding: 4 }}>
        <Stack sx={{ gap: 3 }}>
          <Stack sx={{ gap: 0.5 }}>
            <Typography variant="h1">{translate('console.title')}</Typography>
            <Typography color="textSecondary">
              {translate(enrolling ? 'console.enrol.title' : 'console.signIn.title')}
            </Typography>
          </Stack>
          {enrolling ? (
            <Enrolment named={enrolling} enter={enter} back={() => setEnrolling(null)} />
          ) : (
            <SignInForm enter={enter} enrol={setEnrolling} />
          )}
        </Stack>
      </Card>
      <Notification />
    </Box>
  )
}

/** Name, password, and the code of the authenticator or a recovery code; or a passkey alone. */
function SignInForm({ enter, enrol }: { enter: () => void; enrol: (named: Credentials) => void }) {
  const translate = useTranslate()
  const { run, attempt, pending, failure } = useSignInCall()
  const [who, setWho] = useState<Credentials>({ account: '', password: '' })
  const [code, setCode] = useState('')
  const [recovering, setRecovering] = useState(false)

  async function submit() {
    const proof = recovering ? { recovery_code: code } : { totp: code }
    const reply = await attempt(staffLogin, { ...who, ...proof, in_cookie: true })
    if (reply) enter()
  }

  return (
    <CallForm failure={failure} submit={submit}>
      <CredentialFields
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
      <Button
        variant="outlined"
        size="large"
        disabled={pending}
        onClick={async () => {
          if (await run(async () => signInWithPasskey().then(() => true))) enter()
        }}
      >
        {translate('console.signIn.passkey')}
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
    </CallForm>
  )
}
