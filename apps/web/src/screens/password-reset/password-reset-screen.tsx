import { buttonClass } from '@sum28/ui/button.tsx'
import { PasswordField } from '@sum28/ui/text-field.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { Link, useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'
import { PASSWORD_MIN } from '#src/data/password.ts'
import { resetFaults } from '#src/data/reset-faults.ts'
import { resetPassword } from '#src/data/reset-password.ts'
import { MailedCodeFields } from '#src/features/mailed-code-fields.tsx'
import { FormNote, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import styles from '#src/features/sign-in-frame.module.css'
import { SignInFrame } from '#src/features/sign-in-frame.tsx'
import { useText } from '#src/i18n/text.ts'

type ResetForm = { email: string; code: string; password: string; again: string }

/** Sets a new password by a mailed code. */
export function PasswordResetScreen() {
  const t = useText()
  const navigate = useNavigate()
  const form = useSentForm<ResetForm>({
    defaultValues: { email: '', code: '', password: '', again: '' },
    fields: ['email', 'code', 'password', 'again'],
    send: ({ email, code, password }) => resetPassword({ email: email.trim(), code, password }),
    onSent: () => {
      showToast(t('passwordReset.done'))
      navigate(href('login'), { replace: true })
    },
    faultsOf: resetFaults,
  })

  return (
    <SignInFrame title={t('passwordReset.title')} back>
      <SentForm form={form} submit={t('passwordReset.submit')}>
        <MailedCodeFields event="resetpwd" />
        <PasswordField
          label={t('changePassword.new')}
          placeholder={t('changePassword.newHint')}
          hint={t('changePassword.rule')}
          autoComplete="new-password"
          {...form.field('password', {
            required: t('changePassword.newHint'),
            validate: (password) => password.length >= PASSWORD_MIN || t('changePassword.rule'),
          })}
        />
        <PasswordField
          label={t('changePassword.again')}
          placeholder={t('changePassword.againHint')}
          autoComplete="new-password"
          {...form.field('again', {
            required: t('changePassword.againHint'),
            validate: (again) => again === form.getValues('password') || t('changePassword.differ'),
          })}
        />
        <FormNote>{t('passwordReset.note')}</FormNote>
      </SentForm>
      <div className={styles.other}>
        <p>{t('passwordReset.remembered')}</p>
        <Link
          className={buttonClass({ kind: 'plain', wide: true, size: 's' })}
          to={href('login')}
          replace
        >
          {t('passwordReset.back')}
        </Link>
      </div>
    </SignInFrame>
  )
}
