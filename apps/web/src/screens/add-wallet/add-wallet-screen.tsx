import { Callout } from '@sum28/ui/callout.tsx'
import { ChoicePills } from '@sum28/ui/choice-pills.tsx'
import { TextField } from '@sum28/ui/text-field.tsx'
import { Controller, useWatch } from 'react-hook-form'
import { fieldFaults } from '#src/data/failure.ts'
import { saveWallet } from '#src/data/saved-pay-methods.ts'
import { useProof } from '#src/features/proof.tsx'
import { Screen } from '#src/features/screen.tsx'
import { SentForm, type SentFormState, useSentForm } from '#src/features/sent-form.tsx'
import { useLeavePayMethodForm } from '#src/features/use-leave-pay-method-form.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/add-wallet/add-wallet.module.css'
import { walletAddressFault } from '#src/screens/add-wallet/wallet-address.ts'

/** The wallet type for withdrawals; sent in this form in every language. */
const USUAL_TYPE = 'TRC20 (USDT)'

type WalletForm = {
  address: string
  kind: 'usual' | 'other'
  /** Another wallet type. */
  type: string
}

/** Saves the virtual wallet for withdrawals, in place of the old one. */
export function AddWalletScreen() {
  const t = useText()
  const leave = useLeavePayMethodForm('wallet')
  const [withProof, proofSheet] = useProof()
  const form: SentFormState<WalletForm> = useSentForm<WalletForm>({
    defaultValues: { address: '', kind: 'usual', type: '' },
    fields: ['address', 'kind', 'type'],
    send: ({ address, kind, type }) =>
      withProof(() =>
        saveWallet({ address: address.trim(), type: kind === 'usual' ? USUAL_TYPE : type.trim() }),
      ),
    onSent: leave,
    faultsOf: (error) => {
      const { acc, acc_name } = fieldFaults(error)
      return { address: acc, [other ? 'type' : 'kind']: acc_name }
    },
  })
  const { control, formState } = form
  const kindFault = formState.errors.kind?.message
  const other = useWatch({ control, name: 'kind' }) === 'other'

  async function checkAddress(typed: string): Promise<true | string> {
    if (typed.trim() === '') return t('payMethods.addressHint')
    const fault = await walletAddressFault(typed.trim())
    if (fault === 'form') return t('payMethods.addressForm')
    return fault === null || t('payMethods.addressChecksum')
  }

  return (
    <Screen title={t('payMethods.addWallet')} back>
      <SentForm
        form={{ ...form, busy: form.busy || formState.isSubmitting }}
        submit={t('payMethods.save')}
      >
        <TextField
          label={t('payMethods.address')}
          placeholder={t('payMethods.addressHint')}
          hint={t('payMethods.addressRule')}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          translate="no"
          maxLength={100}
          {...form.field('address', { validate: checkAddress })}
        />
        <div className={styles.type}>
          <p className={styles.label} aria-hidden="true">
            {t('payMethods.walletType')}
          </p>
          <Controller
            control={control}
            name="kind"
            render={({ field }) => (
              <ChoicePills
                label={t('payMethods.walletType')}
                options={[
                  { value: 'usual', label: <span translate="no">{USUAL_TYPE}</span> },
                  { value: 'other', label: t('payMethods.otherType') },
                ]}
                value={field.value}
                onChange={field.onChange}
              />
            )}
          />
          {kindFault && <p className={styles.error}>{kindFault}</p>}
        </div>
        {other && (
          <TextField
            label={t('payMethods.otherTypeName')}
            placeholder={t('payMethods.walletTypeHint')}
            autoComplete="off"
            maxLength={40}
            {...form.field('type', {
              shouldUnregister: true,
              validate: (type) => type.trim() !== '' || t('payMethods.walletTypeHint'),
            })}
          />
        )}
        <Callout icon="lock">{t('payMethods.changeHolds')}</Callout>
      </SentForm>
      {proofSheet}
    </Screen>
  )
}
