import { Button, buttonClass } from '@sum28/ui/button.tsx'
import { filled } from '@sum28/ui/filled.ts'
import { PasswordField, TextField } from '@sum28/ui/text-field.tsx'
import { TickBox } from '@sum28/ui/tick-box.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useState } from 'react'
import { type FieldErrors, FormProvider, useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'
import { useRouteQuery } from '#src/app/use-route-query.ts'
import { fieldFaults } from '#src/data/failure.ts'
import { signUp } from '#src/data/session.ts'
import { MailedCodeFields } from '#src/features/mailed-code-fields.tsx'
import { showFailure } from '#src/features/show-failure.ts'
import styles from '#src/features/sign-in-frame.module.css'
import { SignInFrame } from '#src/features/sign-in-frame.tsx'
import { RichText } from '#src/i18n/rich-text.tsx'
import { useText } from '#src/i18n/text.ts'

/** The label that the product gives this page; the build's own version stands on the about page. */
const PAGE_VERSION = '21.04.03'

type RegisterForm = {
  username: string
  email: string
  code: string
  password: string
  adult: boolean
}

/** The order in which faults are told, one at a time. */
const ORDER = ['username', 'email', 'code', 'password', 'adult'] as const

export function RegisterScreen() {
  const t = useText()
  const navigate = useNavigate()
  const { inviter_id: inviterId } = useRouteQuery('register')
  const [busy, setBusy] = useState(false)
  const form = useForm<RegisterForm>({
    defaultValues: { username: '', email: '', code: '', password: '', adult: false },
  })
  const { register, handleSubmit, setError, formState } = form
  const { errors } = formState

  async function submit(entered: RegisterForm) {
    setBusy(true)
    try {
      await signUp({
        ...entered,
        username: entered.username.trim(),
        email: entered.email.trim(),
        inviterId,
      })
      showToast(t('toast.loading'), { forMs: 600, busy: true })
      navigate(href('home'), { replace: true })
    } catch (error) {
      tell(error)
      setBusy(false)
    }
  }

  function tell(error: unknown) {
    showFailure(error)
    const faults = fieldFaults(error)
    for (const field of ORDER) {
      if (faults[field]) setError(field, { message: faults[field] })
    }
  }

  function refuse(wrong: FieldErrors<RegisterForm>) {
    const first = ORDER.find((field) => wrong[field])
    if (first && wrong[first]?.message) showToast(wrong[first].message)
  }

  return (
    <SignInFrame
      title={t('register.title')}
      back
      foot={t('register.version', { version: PAGE_VERSION })}
    >
      <FormProvider {...form}>
        <form className={styles.form} noValidate onSubmit={handleSubmit(submit, refuse)}>
          <TextField
            label={t('register.username')}
            placeholder={t('register.usernameHint')}
            hint={t('register.usernameRule')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            error={errors.username?.message}
            {...register('username', { validate: filled(t('register.usernameHint')) })}
          />
          <MailedCodeFields event="register" />
          <PasswordField
            label={t('register.password')}
            placeholder={t('register.passwordHint')}
            hint={t('register.passwordRule')}
            autoComplete="new-password"
            error={errors.password?.message}
            {...register('password', { required: t('register.passwordHint') })}
          />
          <TickBox
            invalid={errors.adult !== undefined}
            {...register('adult', { required: t('register.adultHint') })}
          >
            <RichText
              id="register.adult"
              components={{ rules: <Link to={href('rules')} target="_blank" /> }}
            />
          </TickBox>
          <Button type="submit" wide busy={busy}>
            {t('register.submit')}
          </Button>
        </form>
      </FormProvider>
      <div className={styles.other}>
        <p>{t('register.haveAccount')}</p>
        <Link
          className={buttonClass({ kind: 'plain', wide: true, size: 's' })}
          to={href('login')}
          replace
        >
          {t('register.logIn')}
        </Link>
      </div>
    </SignInFrame>
  )
}
