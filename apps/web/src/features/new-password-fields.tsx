import { useFormContext } from 'react-hook-form'
import { useText } from '#src/i18n/text.ts'
import { PasswordField } from '#src/parts/fields.tsx'

/** The fewest characters of a password. */
const PASSWORD_MIN = 8

/** The values that the form around these fields must have; it uses a FormProvider. */
type NewPassword = { password: string; again: string }

/** A new password, and its repetition. */
export function NewPasswordFields() {
  const t = useText()
  const { register, getValues, formState } = useFormContext<NewPassword>()
  const { errors } = formState
  return (
    <>
      <PasswordField
        label={t('changePassword.new')}
        placeholder={t('changePassword.newHint')}
        hint={t('changePassword.rule')}
        autoComplete="new-password"
        error={errors.password?.message}
        {...register('password', {
          required: t('changePassword.newHint'),
          validate: (password) => password.length >= PASSWORD_MIN || t('changePassword.rule'),
        })}
      />
      <PasswordField
        label={t('changePassword.again')}
        placeholder={t('changePassword.againHint')}
        autoComplete="new-password"
        error={errors.again?.message}
        {...register('again', {
          required: t('changePassword.againHint'),
          validate: (again) => again === getValues('password') || t('changePassword.differ'),
        })}
      />
    </>
  )
}
