import { Button, buttonClass } from '@sum28/ui/button.tsx'
import { IconButton } from '@sum28/ui/icon-button.tsx'
import { PasswordField, TextField } from '@sum28/ui/text-field.tsx'
import { TickBox } from '@sum28/ui/tick-box.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useState } from 'react'
import { type FieldErrors, useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'
import { remembered } from '#src/data/remembered.ts'
import { signIn, signOut } from '#src/data/session.ts'
import { showFailure } from '#src/features/show-failure.ts'
import styles from '#src/features/sign-in-frame.module.css'
import { SignInFrame } from '#src/features/sign-in-frame.tsx'
import { useText } from '#src/i18n/text.ts'

type LoginForm = { account: string; password: string; remember: boolean }

function startValues(): LoginForm {
  const { username } = remembered()
  return { account: username ?? '', password: '', remember: username !== null }
}

export function LoginScreen() {
  const t = useText()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [defaultValues] = useState(startValues)
  const { register, handleSubmit, formState } = useForm<LoginForm>({ defaultValues })
  const { errors } = formState

  async function submit(form: LoginForm) {
    setBusy(true)
    try {
      await signIn({ ...form, account: form.account.trim() })
      showToast(t('toast.loading'), { forMs: 600, busy: true })
      navigate(href('home'), { replace: true })
    } catch (error) {
      showFailure(error)
      setBusy(false)
    }
  }

  function refuse(wrong: FieldErrors<LoginForm>) {
    const first = wrong.account ?? wrong.password
    if (first?.message) showToast(first.message)
  }

  function close() {
    signOut()
    navigate(href('home'), { replace: true })
  }

  return (
    <SignInFrame
      title={t('login.title')}
      action={<IconButton icon="close" label={t('login.close')} onPress={close} />}
    >
      <form className={styles.form} noValidate onSubmit={handleSubmit(submit, refuse)}>
        <TextField
          label={t('login.username')}
          placeholder={t('login.usernameHint')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.account?.message}
          {...register('account', {
            validate: (account) => account.trim() !== '' || t('login.usernameHint'),
          })}
        />
        <PasswordField
          label={t('login.password')}
          placeholder={t('login.passwordHint')}
          autoComplete="current-password"
          error={errors.password?.message}
          {...register('password', { required: t('login.passwordHint') })}
        />
        <div className={styles.line}>
          <TickBox {...register('remember')}>{t('login.remember')}</TickBox>
          <Link className={styles.link} to={href('passwordReset')}>
            {t('login.forgot')}
          </Link>
        </div>
        <Button type="submit" wide busy={busy}>
          {t('login.submit')}
        </Button>
      </form>
      <div className={styles.other}>
        <p>{t('login.newHere')}</p>
        <Link className={buttonClass({ kind: 'soft', wide: true })} to={href('register')}>
          {t('login.register')}
        </Link>
        <Link className={buttonClass({ kind: 'plain', size: 's' })} to={href('rules')}>
          {t('home.rules')}
        </Link>
      </div>
    </SignInFrame>
  )
}
