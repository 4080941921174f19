import { newPass } from '@sum28/contract/money-routes.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { faultsBy } from '#src/data/form-faults.ts'
import { profileQuery } from '#src/data/profile.ts'
import { useProof } from '#src/features/proof.tsx'
import { Screen } from '#src/features/screen.tsx'
import { NewPasswordFields, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import { useText } from '#src/i18n/text.ts'
import { useGoBack } from '#src/navigation/navigation.tsx'
import { PasswordField } from '#src/parts/fields.tsx'
import { Dialog } from '#src/parts/overlays.tsx'

type PasswordForm = { old: string; password: string; again: string }

const FIELD_OF = {
  old_password_wrong: 'old',
  old_pass: 'old',
  password_common: 'password',
  password_same: 'password',
  new_pass: 'password',
} as const

/** Changes the login password. Only this device stays signed in. */
export function ChangePasswordScreen() {
  const t = useText()
  const goBack = useGoBack()
  const [withProof, proofSheet] = useProof()
  const username = useQuery(profileQuery).data?.name
  const form = useSentForm<PasswordForm>({
    defaultValues: { old: '', password: '', again: '' },
    withProof,
    send: ({ old, password }, idempotencyKey) =>
      call(newPass, { new_pass: password, old_pass: old }, { idempotencyKey }),
    faultsOf: (error) => faultsBy(error, FIELD_OF),
  })

  return (
    <Screen title={t('changePassword.title')} back>
      <SentForm form={form} submit={t('changePassword.confirm')}>
        {/* Password managers read the user name from here. */}
        <input
          className="unseen"
          autoComplete="username"
          value={username ?? ''}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <PasswordField
          label={t('changePassword.old')}
          placeholder={t('changePassword.oldHint')}
          autoComplete="current-password"
          {...form.field('old', { required: t('changePassword.oldHint') })}
        />
        <NewPasswordFields />
        <p className="quiet">{t('changePassword.note')}</p>
      </SentForm>
      {proofSheet}
      <Dialog open={form.sent} onClose={goBack} title={t('changePassword.done')} tone="done">
        {t('changePassword.doneText')}
      </Dialog>
    </Screen>
  )
}
