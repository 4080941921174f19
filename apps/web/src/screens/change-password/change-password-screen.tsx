import { useQuery } from '@tanstack/react-query'
import { changePassword, passwordFaults } from '#src/data/password.ts'
import { profileQuery } from '#src/data/profile.ts'
import { NewPasswordFields } from '#src/features/new-password-fields.tsx'
import { useProof } from '#src/features/proof.tsx'
import { Screen } from '#src/features/screen.tsx'
import { FormNote, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import { useText } from '#src/i18n/text.ts'
import { useGoBack } from '#src/navigation/navigation.tsx'
import { Dialog } from '#src/parts/overlays.tsx'
import { PasswordField } from '#src/parts/text-field.tsx'

type PasswordForm = { old: string; password: string; again: string }

/** Changes the login password. Only this device stays signed in. */
export function ChangePasswordScreen() {
  const t = useText()
  const goBack = useGoBack()
  const [withProof, proofSheet] = useProof()
  const username = useQuery(profileQuery).data?.name
  const form = useSentForm<PasswordForm>({
    defaultValues: { old: '', password: '', again: '' },
    fields: ['old', 'password', 'again'],
    send: (passwords) => withProof(() => changePassword(passwords)),
    faultsOf: passwordFaults,
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
        <FormNote>{t('changePassword.note')}</FormNote>
      </SentForm>
      {proofSheet}
      <Dialog open={form.sent} onClose={goBack} title={t('changePassword.done')} tone="done">
        {t('changePassword.doneText')}
      </Dialog>
    </Screen>
  )
}
