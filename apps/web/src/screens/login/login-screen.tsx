import type { Userinfo } from '@sum28/contract/replies.ts'
import { login } from '@sum28/contract/user-routes.ts'
import { tabStorage } from '@sum28/ui/storage.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { call } from '#src/data/client.ts'
import { forgetTappedGame, tappedGame } from '#src/data/newcomer.ts'
import {
  factorFault,
  needsFactor,
  offerInForm,
  signInWithPasskey,
  supportsPasskeys,
} from '#src/data/passkeys.ts'
import { remembered } from '#src/data/remembered.ts'
import { enter, enterNoMore, remembersAnother, signInSignal, signOut } from '#src/data/session.ts'
import { currentSession, ENDED, type PlaceBefore, useSignedIn } from '#src/data/session-watch.ts'
import { FactorField, toldOfCeremony } from '#src/features/proof.tsx'
import { filled, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import styles from '#src/features/sign-in-frame.module.css'
import { SignInFrame, useCanRemember } from '#src/features/sign-in-frame.tsx'
import { useText } from '#src/i18n/text.ts'
import { isLeft, Link, useLocation, useNavigate } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Button, LinkButton } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { PasswordField, TextField, TickBox } from '#src/parts/fields.tsx'
import { IconButton } from '#src/parts/icon.tsx'
import { showToast } from '#src/parts/toast-store.ts'

type LoginForm = { account: string; password: string; remember: boolean; code: string }

function startValues(): LoginForm {
  const { username } = remembered()
  return { account: username ?? '', password: '', remember: username !== null, code: '' }
}

export function LoginScreen() {
  const t = useText()
  const navigate = useNavigate()
  const location = useLocation()
  const [defaultValues] = useState(startValues)
  const [asksCode, setAsksCode] = useState(false)
  const { from, of } = (location.state ?? {}) as PlaceBefore
  // The player whose session was ended: another one has no business on his screen.
  const [ended] = useState(() => of ?? tabStorage().getItem(ENDED))
  useEffect(() => {
    // Else the other player's session would begin in this tab.
    if (!remembersAnother()) tabStorage().removeItem(ENDED)
  }, [])
  const canRemember = useCanRemember()
  const form = useSentForm<LoginForm>({
    defaultValues,
    // With `remember` this device needs no password for 14 days.
    send: async (values) => {
      const account = values.account.trim()
      const remember = values.remember && canRemember
      const code = values.code.trim() || undefined
      const request = { account, password: values.password, remember, code }
      const { userinfo } = await call(login, request, { signal: signInSignal() })
      begin(userinfo, remember ? account : null)
    },
    onSent: goOn,
    faultsOf: (error) => {
      if (needsFactor(error)) setAsksCode(true)
      return { code: factorFault(error) }
    },
  })
  const passkey = useMutation({
    mutationFn: async ({ autofill }: { autofill: boolean }) => {
      const isRemembered = () => form.getValues('remember') && canRemember
      const { userinfo, remember } = await signInWithPasskey(isRemembered, { autofill }).catch(
        (error) => toldOfCeremony(error, { quietly: autofill }),
      )
      begin(userinfo, remember ? userinfo.username : null)
    },
    onSuccess: goOn,
  })
  const offerPasskeys = useEffectEvent(() => offerInForm(() => passkey.mutate({ autofill: true })))
  useEffect(() => offerPasskeys(), [])

  // A remembered device may be restored while the form is shown: nothing is left to do here then.
  const signedIn = useSignedIn()
  const [wasSignedIn] = useState(signedIn)
  const goOnThen = useEffectEvent(goOn)
  useEffect(() => {
    if (signedIn && !wasSignedIn) goOnThen()
  }, [signedIn, wasSignedIn])

  /** Begins the session, unless the player has left the login before the reply came. */
  function begin(userinfo: Userinfo, username: string | null) {
    if (!isLeft(location)) enter(userinfo, { username })
    else if (username !== null) enterNoMore(userinfo)
  }

  /** To the screen that asked for the login, to the game that he had tapped, or home. */
  function goOn() {
    if (isLeft(location)) return
    showToast(t('toast.loading'), { forMs: 600, busy: true })
    const isAnother = ended !== null && ended !== currentSession()?.userId
    const back = isAnother ? undefined : from
    const tapped = tappedGame()
    forgetTappedGame()
    navigate(back ?? (tapped.game ? href('hall', tapped) : href('home')), { replace: true })
  }

  function close() {
    // The other player goes on in his tabs.
    if (!remembersAnother()) signOut()
    navigate(href('home'), { replace: true })
  }

  return (
    <SignInFrame
      title={t('home.logIn')}
      action={<IconButton icon="close" label={t('login.close')} onPress={close} />}
    >
      {(ended !== null || from) && (
        <Callout icon="info">{t(ended === null ? 'login.needed' : 'login.ended')}</Callout>
      )}
      <SentForm form={form} submit={t('home.logIn')}>
        <TextField
          label={t('login.username')}
          placeholder={t('login.usernameHint')}
          autoComplete="username webauthn"
          literal
          {...form.field('account', { validate: { filled: filled(t('login.usernameHint')) } })}
        />
        <PasswordField
          label={t('login.password')}
          placeholder={t('login.passwordHint')}
          autoComplete="current-password"
          {...form.field('password', { required: t('login.passwordHint') })}
        />
        {asksCode && (
          <FactorField
            hint={t('login.codeHint')}
            autoFocus
            {...form.field('code', { validate: { filled: filled(t('login.codeHint')) } })}
          />
        )}
        <div className={styles.line}>
          {canRemember && <TickBox {...form.register('remember')}>{t('login.remember')}</TickBox>}
          <Link className="row tap small strong" to={href('passwordReset')} state={location.state}>
            {t('login.forgot')}
          </Link>
        </div>
      </SentForm>
      <div className={styles.other}>
        {supportsPasskeys() && (
          <Button
            kind="soft"
            wide
            busy={passkey.isPending && !passkey.variables.autofill}
            onClick={() => passkey.mutate({ autofill: false })}
          >
            {t('login.passkey')}
          </Button>
        )}
        <div className="stack-2">
          <p>{t('login.newHere')}</p>
          <LinkButton kind="soft" wide to={href('register')} state={location.state}>
            {t('home.register')}
          </LinkButton>
        </div>
        <LinkButton kind="plain" size="s" to={href('rules')}>
          {t('home.rules')}
        </LinkButton>
        <LinkButton kind="plain" size="s" to={href('saferPlay')}>
          {t('home.saferPlay')}
        </LinkButton>
      </div>
    </SignInFrame>
  )
}
