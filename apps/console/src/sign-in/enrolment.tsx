import { Button, Stack, Typography } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { beginEnrolment, confirmEnrolment } from '@sum28/contract/staff-own-routes.ts'
import { QrCode } from '@sum28/ui/qr-code.tsx'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { enrolWithPasskey } from '#src/data/passkeys.ts'
import {
  CallForm,
  CredentialFields,
  type Credentials,
  useSignInCall,
} from '#src/sign-in/call-form.tsx'
import { RecoveryCodes } from '#src/sign-in/recovery-codes.tsx'
import { CodeField, SignInField } from '#src/sign-in/sign-in-field.tsx'

type EnrolmentProps = { named: Credentials; enter: () => void; back: () => void }

/** The first sign-in in three steps: first password, authenticator and own password, recovery codes; or a passkey. */
export function Enrolment({ named, enter, back }: EnrolmentProps) {
  const [who, setWho] = useState(named)
  const [secret, setSecret] = useState<ReplyOf<typeof beginEnrolment> | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} done={enter} />
  if (secret) {
    return (
      <Stack sx={{ gap: 3 }}>
        {!secret.passkey_required && (
          <Confirm who={who} secret={secret} confirmed={setCodes} back={back} />
        )}
        <WithPasskey who={who} begun={secret} enter={enter} />
      </Stack>
    )
  }
  return <Begin who={who} setWho={setWho} begun={setSecret} back={back} />
}

function Begin({
  who,
  setWho,
  begun,
  back,
}: {
  who: Credentials
  setWho: (who: Credentials) => void
  begun: (secret: ReplyOf<typeof beginEnrolment>) => void
  back: () => void
}) {
  const translate = useTranslate()
  const { attempt, pending, failure } = useSignInCall()
  async function submit() {
    const reply = await attempt(beginEnrolment, who)
    if (reply) begun(reply)
  }
  return (
    <CallForm
      intro={<Typography>{translate('console.enrol.begin')}</Typography>}
      failure={failure}
      submit={submit}
    >
      <CredentialFields
        who={who}
        setWho={setWho}
        passwordLabel="console.enrol.firstPassword"
        failure={failure}
      />
      <Steps pending={pending} back={back} />
    </CallForm>
  )
}

function Confirm({
  who,
  secret,
  confirmed,
  back,
}: {
  who: Credentials
  secret: ReplyOf<typeof beginEnrolment>
  confirmed: (codes: readonly string[]) => void
  back: () => void
}) {
  const translate = useTranslate()
  const { attempt, pending, failure, setFailure } = useSignInCall()
  const [totp, setTotp] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  async function submit() {
    if (password !== again) {
      const text = translate('console.enrol.differ')
      return setFailure({ text, fields: { again: text }, reason: 'invalid_input' })
    }
    const reply = await attempt(confirmEnrolment, {
      ...who,
      totp,
      new_password: password,
      in_cookie: true,
    })
    if (reply) confirmed(reply.recovery_codes)
  }
  return (
    <CallForm
      intro={<Typography>{translate('console.enrol.scan')}</Typography>}
      failure={failure}
      submit={submit}
    >
      <Stack sx={{ alignItems: 'center', gap: 1 }}>
        <QrCode value={secret.otpauth} label={translate('console.enrol.qr')} />
        <Typography variant="body2" color="textSecondary">
          {translate('console.enrol.orType')}
        </Typography>
        <Typography component="code" className="num" data-testid="totp-secret">
          {secret.secret}
        </Typography>
      </Stack>
      <CodeField value={totp} set={setTotp} failure={failure} autoFocus />
      <SignInField
        name="new_password"
        label="console.enrol.newPassword"
        value={password}
        set={setPassword}
        failure={failure}
        type="password"
        autoComplete="new-password"
      />
      <SignInField
        name="again"
        label="console.enrol.again"
        value={again}
        set={setAgain}
        failure={failure}
        type="password"
        autoComplete="new-password"
      />
      <Steps pending={pending} back={back} />
    </CallForm>
  )
}

/** Enrols with a passkey in place of password and code. */
function WithPasskey({
  who,
  begun,
  enter,
}: {
  who: Credentials
  begun: ReplyOf<typeof beginEnrolment>
  enter: () => void
}) {
  const translate = useTranslate()
  const { run, pending, failure } = useSignInCall()
  const [name, setName] = useState(() => translate('console.passkey.device'))
  async function submit() {
    const options = { options: begun.passkey, name }
    if (await run(() => enrolWithPasskey(who, options).then(() => true))) enter()
  }
  return (
    <CallForm
      intro={
        <Typography>
          {translate(
            begun.passkey_required ? 'console.enrol.passkeyOnly' : 'console.enrol.passkey',
          )}
        </Typography>
      }
      failure={failure}
      submit={submit}
    >
      <SignInField
        name="name"
        label="console.passkey.name"
        value={name}
        set={setName}
        failure={failure}
        autoComplete="off"
        autoFocus={begun.passkey_required}
      />
      <Button
        type="submit"
        variant={begun.passkey_required ? 'contained' : 'outlined'}
        loading={pending}
      >
        {translate('console.enrol.makePasskey')}
      </Button>
    </CallForm>
  )
}

function Steps({ pending, back }: { pending: boolean; back: () => void }) {
  const translate = useTranslate()
  return (
    <Stack direction="row" sx={{ justifyContent: 'space-between' }}>
      <Button variant="text" onClick={back}>
        {translate('ra.action.back')}
      </Button>
      <Button type="submit" variant="contained" loading={pending}>
        {translate('console.enrol.next')}
      </Button>
    </Stack>
  )
}
