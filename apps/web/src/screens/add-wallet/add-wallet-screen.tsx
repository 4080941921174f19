import { Controller, useWatch } from 'react-hook-form'
import { saveWallet, walletFaults } from '#src/data/saved-pay-methods.ts'
import { useProof } from '#src/features/proof.tsx'
import { Screen } from '#src/features/screen.tsx'
import { SentForm, type SentFormState, useSentForm } from '#src/features/sent-form.tsx'
import { useLeavePayMethodForm } from '#src/features/use-leave-pay-method-form.ts'
import { useText } from '#src/i18n/text.ts'
import { Callout } from '#src/parts/callout.tsx'
import { ChoiceField } from '#src/parts/choice-field.tsx'
import { TextField } from '#src/parts/fields.tsx'

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
    withProof,
    send: ({ address, kind, type }, key) =>
      saveWallet(
        { address: address.trim(), type: kind === 'usual' ? USUAL_TYPE : type.trim() },
        key,
      ),
    onSent: leave,
    faultsOf: (error) => {
      const { address, type } = walletFaults(error)
      return { address, [other ? 'type' : 'kind']: type }
    },
  })
  const { control, formState } = form
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
          literal
          translate="no"
          maxLength={100}
          {...form.field('address', { validate: checkAddress })}
        />
        <Controller
          control={control}
          name="kind"
          render={({ field, fieldState }) => (
            <ChoiceField
              label={t('payMethods.walletType')}
              options={[
                { value: 'usual', label: <span translate="no">{USUAL_TYPE}</span> },
                { value: 'other', label: t('payMethods.otherType') },
              ]}
              value={field.value}
              onChange={field.onChange}
              error={fieldState.error?.message}
              ref={field.ref}
            />
          )}
        />
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

/** `form`: not 34 characters of base58 that begin with T. `checksum`: one of them is mistyped. */
type WalletAddressFault = 'form' | 'checksum'

/** Digits, capital and small letters without 0, O, I and l. */
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BYTES = 25
const CHECKSUM_BYTES = 4
const ADDRESS_BYTE = 0x41

/**
 * The fault of a TRON address, or null: base58check of the byte 0x41 and twenty others, four more of checksum. The hash function is loaded on first use; if that fails,
 * only the server checks the checksum.
 */
export async function walletAddressFault(address: string): Promise<WalletAddressFault | null> {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)) return 'form'
  const bytes = base58Bytes(address)
  const hash = await import('@noble/hashes/sha2.js').catch(() => null)
  if (!hash) return null
  const body = bytes.subarray(0, BYTES - CHECKSUM_BYTES)
  const right = hash.sha256(hash.sha256(body))
  const sound = bytes.subarray(-CHECKSUM_BYTES).every((byte, at) => byte === right[at])
  return sound && bytes[0] === ADDRESS_BYTE ? null : 'checksum'
}

/** The 25 bytes of 34 base58 characters; with a leading T they always fit. */
function base58Bytes(text: string): Uint8Array {
  let number = 0n
  for (const character of text) number = number * 58n + BigInt(BASE58.indexOf(character))
  const hex = number.toString(16).padStart(BYTES * 2, '0')
  return Uint8Array.from({ length: BYTES }, (_, at) =>
    Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16),
  )
}
