import { Button, buttonClass } from '@sum28/ui/button.tsx'
import { PasswordField } from '@sum28/ui/text-field.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useMutation } from '@tanstack/react-query'
import { type FieldErrors, FormProvider, useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'
import { PASSWORD_MIN } from '#src/data/password.ts'
import { resetFaults } from '#src/data/reset-faults.ts'
import { resetPassword } from '#src/data/reset-password.ts'
import { MailedCodeFields } from '#src/features/mailed-code-fields.tsx'
import { showFailure } from '#src/features/show-failure.ts'
import styles from '#src/features/sign-in-frame.module.css'
import { SignInFrame } from '#src/features/sign-in-frame.tsx'
import { useText } from '#src/i18n/text.ts'
import ownStyles from '#src/screens/password-reset/password-reset-screen.module.css'

type ForgetForm = { email: string; code: string; password: string; again: string }

/** The order in which faults are told, one at a time. */
const ORDER = ['email', 'code', 'password', 'again'] as const

/** Sets a new password by a code that is mailed. */
export function PasswordResetScreen() {
  const t = useText()
  const navigate = useNavigate()
  const form = useForm<ForgetForm>({
    defaultValues: { email: '', code: '', password: '', again: '' },
  })
  const { register, handleSubmit, getValues, setError, setFocus, formState } = form
  const { errors } = formState
  const reset = useMutation({
    mutationFn: ({ email, code, password }: ForgetForm) =>
      resetPassword({ email: email.trim(), code, password }),
    onSuccess: () => {
      showToast(t('forget.done'))
      navigate(href('login'), { replace: true })
    },
    onError: (error) => {
      showFailure(error)
      const faults = resetFaults(error)
      for (const field of ['password', 'code', 'email'] as const) {
        if (!faults[field]) continue
        setError(field, { message: faults[field] })
        setFocus(field)
      }
    },
  })

  function refuse(wrong: FieldErrors<ForgetForm>) {
    // What is missing comes before what does not fit.
    const told = ORDER.filter((field) => wrong[field])
    const first = told.find((field) => wrong[field]?.type === 'filled') ?? told[0]
    if (first && wrong[first]?.message) showToast(wrong[first].message)
    if (first) setFocus(first)
  }

  return (
    <SignInFrame title={t('forget.title')} back>
      <FormProvider {...form}>
        <form
          className={styles.form}
          noValidate
          onSubmit={handleSubmit((entered) => reset.mutate(entered), refuse)}
        >
          <MailedCodeFields event="resetpwd" />
          <PasswordField
            label={t('changePassword.new')}
            placeholder={t('changePassword.newHint')}
            hint={t('changePassword.rule')}
            autoComplete="new-password"
            error={errors.password?.message}
            {...register('password', {
              validate: {
                filled: (password) => password !== '' || t('changePassword.newHint'),
                long: (password) => password.length >= PASSWORD_MIN || t('changePassword.rule'),
              },
            })}
          />
          <PasswordField
            label={t('changePassword.again')}
            placeholder={t('changePassword.againHint')}
            autoComplete="new-password"
            error={errors.again?.message}
            {...register('again', {
              validate: {
                filled: (again) => again !== '' || t('changePassword.againHint'),
                same: (again) => again === getValues('password') || t('changePassword.differ'),
              },
            })}
          />
          <p className={ownStyles.note}>{t('forget.note')}</p>
          <Button type="submit" wide busy={reset.isPending}>
            {t('forget.submit')}
          </Button>
        </form>
      </FormProvider>
      <div className={styles.other}>
        <p>{t('forget.remembered')}</p>
        <Link
          className={buttonClass({ kind: 'plain', wide: true, size: 's' })}
          to={href('login')}
          replace
        >
          {t('forget.back')}
        </Link>
      </div>
    </SignInFrame>
  )
}
