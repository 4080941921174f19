import { Refusal } from '@sum28/contract/client.ts'
import { resetPassword as resetRoute } from '@sum28/contract/user-routes.ts'
import { call } from '#src/data/client.ts'
import { MailedCodeFields } from '#src/features/mailed-code-fields.tsx'
import { NewPasswordFields, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import styles from '#src/features/sign-in-frame.module.css'
import { SignInFrame } from '#src/features/sign-in-frame.tsx'
import { useText } from '#src/i18n/text.ts'
import { Link, useLocation, useNavigateUnlessLeft } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { buttonClass } from '#src/parts/button.tsx'
import { showToast } from '#src/parts/toast-store.ts'

type ResetForm = { email: string; code: string; password: string; again: string }

/** Sets a new password by a mailed code. */
export function PasswordResetScreen() {
  const t = useText()
  const navigate = useNavigateUnlessLeft()
  // Where the login leads afterwards.
  const { state } = useLocation()
  const form = useSentForm<ResetForm>({
    defaultValues: { email: '', code: '', password: '', again: '' },
    send: ({ email, code, password }, key) =>
      resetPassword({ email: email.trim(), code, password }, key),
    onSent: () => {
      showToast(t('passwordReset.done'))
      navigate(href('login'), { replace: true, state })
    },
    faultsOf: resetFaults,
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
        <Link
          className={buttonClass({ kind: 'plain', wide: true, size: 's' })}
          to={href('login')}
          state={state}
          replace
        >
          {t('passwordReset.back')}
        </Link>
      </div>
    </SignInFrame>
  )
}

/** Sets a new password by a mailed code. All devices are signed out by it. */
async function resetPassword(
  { email, code, password }: { email: string; code: string; password: string },
  idempotencyKey: string,
): Promise<void> {
  await call(resetRoute, { email, captcha: code, newpassword: password }, { idempotencyKey })
}

/** The refusal's message by the form field that it is about. */
export function resetFaults(error: unknown): {
  email: string | undefined
  code: string | undefined
  password: string | undefined
} {
  const { reason, fields } = error instanceof Refusal ? error.data : {}
  const message = error instanceof Refusal ? error.message : undefined
  const ofCode = reason === 'email_code_wrong' || reason === 'email_code_expired'
  const ofPassword = reason === 'password_common' || reason === 'password_same'
  return {
    email: fields?.email,
    code: ofCode ? message : fields?.captcha,
    password: ofPassword ? message : fields?.newpassword,
  }
}
