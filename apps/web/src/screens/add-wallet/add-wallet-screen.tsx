import { Button } from '@sum28/ui/button.tsx'
import { ChoicePills } from '@sum28/ui/choice-pills.tsx'
import { Notice } from '@sum28/ui/notice.tsx'
import { Page } from '@sum28/ui/page.tsx'
import { TextField } from '@sum28/ui/text-field.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useMutation } from '@tanstack/react-query'
import { Controller, type FieldErrors, useForm, useWatch } from 'react-hook-form'
import { useLocation, useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'
import { fieldFaults } from '#src/data/failure.ts'
import { saveWallet } from '#src/data/pay-methods.ts'
import { walletAddressFault } from '#src/data/wallet-address.ts'
import { PageHeader } from '#src/features/page-header.tsx'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/add-wallet/add-wallet-screen.module.css'

/** The wallet that withdrawals are made to; sent as it stands, in every language. */
const USUAL_TYPE = 'TRC20 (USDT)'

type WalletForm = {
  address: string
  kind: 'usual' | 'other'
  /** The wallet's type, where it is another. */
  type: string
}

/** Saves the virtual wallet that withdrawals may go to, in place of the one there was. */
export function AddWalletScreen() {
  const t = useText()
  const navigate = useNavigate()
  const openedHere = useLocation().key === 'default'
  const { register, control, handleSubmit, setError, setFocus, formState } = useForm<WalletForm>({
    defaultValues: { address: '', kind: 'usual', type: '' },
  })
  const { errors } = formState
  const other = useWatch({ control, name: 'kind' }) === 'other'
  const save = useMutation({
    mutationFn: saveWallet,
    onSuccess: () => {
      showToast(t('payMethod.saved'))
      if (openedHere) navigate(href('payMethods', { type: '1' }), { replace: true })
      else navigate(-1)
    },
    onError: (error) => {
      showFailure(error)
      const { acc, acc_name } = fieldFaults(error)
      if (acc_name) setError(other ? 'type' : 'kind', { message: acc_name })
      if (acc) setError('address', { message: acc })
      if (acc) setFocus('address')
      else if (acc_name && other) setFocus('type')
    },
  })

  function submit({ address, kind, type }: WalletForm) {
    save.mutate({ address: address.trim(), type: kind === 'usual' ? USUAL_TYPE : type.trim() })
  }

  function refuse(wrong: FieldErrors<WalletForm>) {
    const first = (['address', 'type'] as const).find((field) => wrong[field])
    if (first && wrong[first]?.message) showToast(wrong[first].message)
  }

  async function checkAddress(typed: string): Promise<true | string> {
    if (typed.trim() === '') return t('payMethod.addressHint')
    const fault = await walletAddressFault(typed.trim())
    if (fault === 'form') return t('payMethod.addressForm')
    return fault === null || t('payMethod.addressChecksum')
  }

  return (
    <Page header={<PageHeader title={t('payMethod.addWallet')} back />}>
      <form className={styles.form} noValidate onSubmit={handleSubmit(submit, refuse)}>
        <TextField
          label={t('payMethod.address')}
          placeholder={t('payMethod.addressHint')}
          hint={t('payMethod.addressRule')}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          translate="no"
          maxLength={100}
          error={errors.address?.message}
          {...register('address', { validate: checkAddress })}
        />
        <div className={styles.type}>
          <p className={styles.label} aria-hidden="true">
            {t('payMethod.walletType')}
          </p>
          <Controller
            control={control}
            name="kind"
            render={({ field }) => (
              <ChoicePills
                label={t('payMethod.walletType')}
                options={[
                  { value: 'usual', label: <span translate="no">{USUAL_TYPE}</span> },
                  { value: 'other', label: t('payMethod.otherType') },
                ]}
                value={field.value}
                onChange={field.onChange}
              />
            )}
          />
          {errors.kind?.message && <p className={styles.error}>{errors.kind.message}</p>}
        </div>
        {other && (
          <TextField
            label={t('payMethod.otherTypeName')}
            placeholder={t('payMethod.walletTypeHint')}
            autoComplete="off"
            maxLength={40}
            error={errors.type?.message}
            {...register('type', {
              shouldUnregister: true,
              validate: (type) => type.trim() !== '' || t('payMethod.walletTypeHint'),
            })}
          />
        )}
        <Notice icon="lock">{t('payMethod.changeHolds')}</Notice>
        <Button type="submit" wide busy={save.isPending || formState.isSubmitting}>
          {t('payMethod.save')}
        </Button>
      </form>
    </Page>
  )
}
