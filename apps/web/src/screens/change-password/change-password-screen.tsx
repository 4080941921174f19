import { Button } from '@sum28/ui/button.tsx'
import { Dialog } from '@sum28/ui/dialog.tsx'
import { Page } from '@sum28/ui/page.tsx'
import { PasswordField } from '@sum28/ui/text-field.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FieldErrors, useForm } from 'react-hook-form'
import { useGoBack } from '#src/app/use-go-back.ts'
import { changePassword, PASSWORD_MIN, passwordFaults } from '#src/data/password.ts'
import { profileQuery } from '#src/data/profile.ts'
import { PageHeader } from '#src/features/page-header.tsx'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/change-password/change-password-screen.module.css'

type PasswordForm = { old: string; next: string; again: string }

/** The order in which faults are told, one at a time. */
const ORDER = ['old', 'next', 'again'] as const

/** Changes the login password. This device stays signed in, all others do not. */
export function ChangePasswordScreen() {
  const t = useText()
  const goBack = useGoBack()
  const username = useQuery({ ...profileQuery, refetchInterval: false }).data?.username
  const { register, handleSubmit, getValues, setError, setFocus, formState } =
    useForm<PasswordForm>({ defaultValues: { old: '', next: '', again: '' } })
  const { errors } = formState
  const change = useMutation({
    mutationFn: changePassword,
    onError: (error) => {
      showFailure(error)
      const faults = passwordFaults(error)
      for (const field of ['next', 'old'] as const) {
        if (!faults[field]) continue
        setError(field, { message: faults[field] })
        setFocus(field)
      }
    },
  })

  function refuse(wrong: FieldErrors<PasswordForm>) {
    // What is missing comes before what does not fit.
    const told = ORDER.filter((field) => wrong[field])
    const first = told.find((field) => wrong[field]?.type === 'required') ?? told[0]
    if (first && wrong[first]?.message) showToast(wrong[first].message)
  }

  return (
    <Page header={<PageHeader title={t('changePassword.title')} back />}>
      <form
        className={styles.form}
        noValidate
        onSubmit={handleSubmit(({ old, next }) => change.mutate({ old, next }), refuse)}
      >
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
          error={errors.old?.message}
          {...register('old', { required: t('changePassword.oldHint') })}
        />
        <PasswordField
          label={t('changePassword.new')}
          placeholder={t('changePassword.newHint')}
          hint={t('changePassword.rule')}
          autoComplete="new-password"
          error={errors.next?.message}
          {...register('next', {
            required: t('changePassword.newHint'),
            validate: (next) => next.length >= PASSWORD_MIN || t('changePassword.rule'),
          })}
        />
        <PasswordField
          label={t('changePassword.again')}
          placeholder={t('changePassword.againHint')}
          autoComplete="new-password"
          error={errors.again?.message}
          {...register('again', {
            required: t('changePassword.againHint'),
            validate: (again) => again === getValues('next') || t('changePassword.differ'),
          })}
        />
        <p className={styles.note}>{t('changePassword.note')}</p>
        <Button type="submit" wide busy={change.isPending}>
          {t('changePassword.confirm')}
        </Button>
      </form>
      <Dialog open={change.isSuccess} onClose={goBack} title={t('changePassword.done')} tone="done">
        {t('changePassword.doneText')}
      </Dialog>
    </Page>
  )
}
