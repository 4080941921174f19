import { Dialog } from '@sum28/ui/dialog.tsx'
import { Page } from '@sum28/ui/page.tsx'
import { PasswordField } from '@sum28/ui/text-field.tsx'
import { useQuery } from '@tanstack/react-query'
import { useGoBack } from '#src/app/use-go-back.ts'
import { changePassword, PASSWORD_MIN, passwordFaults } from '#src/data/password.ts'
import { profileQuery } from '#src/data/profile.ts'
import { PageHeader } from '#src/features/page-header.tsx'
import { FormNote, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import { useText } from '#src/i18n/text.ts'

type PasswordForm = { old: string; next: string; again: string }

/** Changes the login password. Only this device stays signed in. */
export function ChangePasswordScreen() {
  const t = useText()
  const goBack = useGoBack()
  const username = useQuery({ ...profileQuery, refetchInterval: false }).data?.username
  const form = useSentForm<PasswordForm>({
    defaultValues: { old: '', next: '', again: '' },
    fields: ['old', 'next', 'again'],
    send: ({ old, next }) => changePassword({ old, next }),
    faultsOf: passwordFaults,
  })

  return (
    <Page header={<PageHeader title={t('changePassword.title')} back />}>
      <SentForm form={form} submit={t('changePassword.confirm')}>
        {/* Tells a password manager whose password changes. */}
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
        <PasswordField
          label={t('changePassword.new')}
          placeholder={t('changePassword.newHint')}
          hint={t('changePassword.rule')}
          autoComplete="new-password"
          {...form.field('next', {
            required: t('changePassword.newHint'),
            validate: (next) => next.length >= PASSWORD_MIN || t('changePassword.rule'),
          })}
        />
        <PasswordField
          label={t('changePassword.again')}
          placeholder={t('changePassword.againHint')}
          autoComplete="new-password"
          {...form.field('again', {
            required: t('changePassword.againHint'),
            validate: (again) => again === form.getValues('next') || t('changePassword.differ'),
          })}
        />
        <FormNote>{t('changePassword.note')}</FormNote>
      </SentForm>
      <Dialog open={form.sent} onClose={goBack} title={t('changePassword.done')} tone="done">
        {t('changePassword.doneText')}
      </Dialog>
    </Page>
  )
}
