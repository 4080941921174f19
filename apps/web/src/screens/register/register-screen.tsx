import { register } from '@sum28/contract/user-routes.ts'
import { call } from '#src/data/client.ts'
import { fieldFaults } from '#src/data/failure.ts'
import { offerAfterRegistration } from '#src/data/newcomer.ts'
import { enter, enterNoMore, signInSignal } from '#src/data/session.ts'
import { MailedCodeFields } from '#src/features/mailed-code-fields.tsx'
import { filled, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import styles from '#src/features/sign-in-frame.module.css'
import { SignInFrame, useCanRemember } from '#src/features/sign-in-frame.tsx'
import { RichText } from '#src/i18n/rich-text.tsx'
import { useText } from '#src/i18n/text.ts'
import {
  isLeft,
  Link,
  useLocation,
  useNavigate,
  useRouteQuery,
} from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { LinkButton } from '#src/parts/button.tsx'
import { PasswordField, TextField, TickBox } from '#src/parts/fields.tsx'
import { showToast } from '#src/parts/toast-store.ts'

/** The label that the specification gives this page; the about page shows the build's version. */
const PAGE_VERSION = '21.04.03'

type RegisterForm = {
  username: string
  email: string
  code: string
  password: string
  remember: boolean
  adult: boolean
}

export function RegisterScreen() {
  const t = useText()
  const navigate = useNavigate()
  const location = useLocation()
  const [{ inviter_id: inviterId }] = useRouteQuery('register')
  const canRemember = useCanRemember()
  const form = useSentForm<RegisterForm>({
    defaultValues: {
      username: '',
      email: '',
      code: '',
      password: '',
      remember: false,
      adult: false,
    },
    send: async ({ username, email, ...rest }, idempotencyKey) => {
      const who = { username: username.trim(), email: email.trim() }
      const remember = rest.remember && canRemember
      const inviter = inviterId ? { inviter_id: inviterId } : {}
      const account = { ...rest, ...who, ...inviter, remember, group_id: 1 } as const
      const options = { idempotencyKey, signal: signInSignal() }
      const { userinfo } = await call(register, account, options)
      // Who has left may have signed in otherwise; the account exists.
      if (isLeft(location)) enterNoMore(userinfo)
      else enter(userinfo, { username: remember ? who.username : null })
    },
    onSent: () => {
      if (isLeft(location)) return
      offerAfterRegistration()
      showToast(t('toast.loading'), { forMs: 600, busy: true })
      navigate(href('home'), { replace: true })
    },
    faultsOf: fieldFaults,
  })

  return (
    <SignInFrame
      title={t('home.register')}
      back
      foot={t('home.version', { version: PAGE_VERSION })}
    >
      <SentForm form={form} submit={t('register.submit')}>
        <TextField
          label={t('register.username')}
          placeholder={t('register.usernameHint')}
          hint={t('register.usernameRule')}
          autoComplete="username"
          literal
          {...form.field('username', { validate: { filled: filled(t('register.usernameHint')) } })}
        />
        <MailedCodeFields event="register" />
        <PasswordField
          label={t('login.password')}
          placeholder={t('register.passwordHint')}
          hint={t('register.passwordRule')}
          autoComplete="new-password"
          {...form.field('password', { required: t('register.passwordHint') })}
        />
        {canRemember && <TickBox {...form.register('remember')}>{t('login.remember')}</TickBox>}
        <TickBox
          error={form.formState.errors.adult?.message}
          {...form.register('adult', { required: t('register.adultHint') })}
        >
          <RichText
            id="register.adult"
            components={{ rules: <Link to={href('rules')} target="_blank" /> }}
          />
        </TickBox>
      </SentForm>
      <div className={styles.other}>
        <p>{t('register.haveAccount')}</p>
        <LinkButton kind="plain" wide size="s" to={href('login')} state={location.state} replace>
          {t('home.logIn')}
        </LinkButton>
        <LinkButton kind="plain" size="s" to={href('saferPlay')}>
          {t('home.saferPlay')}
        </LinkButton>
      </div>
    </SignInFrame>
  )
}
