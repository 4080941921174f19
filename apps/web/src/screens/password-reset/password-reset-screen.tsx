import { resetPassword } from '@sum28/contract/user-routes.ts'
import { call } from '#src/data/client.ts'
import { faultsBy } from '#src/data/form-faults.ts'
import { MailedCodeFields } from '#src/features/mailed-code-fields.tsx'
import { NewPasswordFields, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import styles from '#src/features/sign-in-frame.module.css'
import { SignInFrame } from '#src/features/sign-in-frame.tsx'
import { useText } from '#src/i18n/text.ts'
import { useLocation, useNavigateUnlessLeft } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { LinkButton } from '#src/parts/button.tsx'
import { showToast } from '#src/parts/toast-store.ts'

type ResetForm = { email: string; code: string; password: string; again: string }

const FIELD_OF = {
  email: 'email',
  email_code_wrong: 'code',
  email_code_expired: 'code',
  captcha: 'code',
  password_common: 'password',
  password_same: 'password',
  newpassword: 'password',
} as const

/** Sets a new password by a mailed code. All devices are signed out by it. */
export function PasswordResetScreen() {
  const t = useText()
  const navigate = useNavigateUnlessLeft()
  // Where the login leads afterwards.
  const { state } = useLocation()
  const form = useSentForm<ResetForm>({
    defaultValues: { email: '', code: '', password: '', again: '' },
    send: ({ email, code, password }, idempotencyKey) => {
      const entered = { email: email.trim(), captcha: code, newpassword: password }
      return call(resetPassword, entered, { idempotencyKey })
    },
    onSent: () => {
      showToast(t('passwordReset.done'))
      navigate(href('login'), { replace: true, state })
    },
    faultsOf: (error) => faultsBy(error, FIELD_OF),
  })

  return (
    <SignInFrame title={t('passwordReset.title')} back>
      <SentForm form={form} submit={t('passwordReset.submit')}>
        <MailedCodeFields event="resetpwd" />
        <NewPasswordFields />
        <p className="quiet">{t('passwordReset.note')}</p>
      </SentForm>
      <div className={styles.other}>
        <p>{t('passwordReset.remembered')}</p>
        <LinkButton kind="plain" wide size="s" to={href('login')} state={state} replace>
          {t('passwordReset.back')}
        </LinkButton>
      </div>
    </SignInFrame>
  )
}
