import { bareCardNumber, cardNumberFault } from '@sum28/domain/card-number.ts'
import { asciiDigits } from '@sum28/domain/typed-digits.ts'
import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { Controller } from 'react-hook-form'
import { bankCardFaults, type EnteredCard, saveBankCard } from '#src/data/saved-pay-methods.ts'
import { useProof } from '#src/features/proof.tsx'
import { Screen } from '#src/features/screen.tsx'
import { filled, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import { useLeavePayMethodForm } from '#src/features/use-leave-pay-method-form.ts'
import { useText } from '#src/i18n/text.ts'
import { Callout } from '#src/parts/callout.tsx'
import { TextField } from '#src/parts/fields.tsx'

/** A number that is sent for the first time, and is that of no card; sent again, it is taken as an account's. */
class DoubtfulNumber extends Error {}

/** Saves the bank card for withdrawals, in place of the old one. */
export function AddBankCardScreen() {
  const t = useText()
  const leave = useLeavePayMethodForm('card')
  const [withProof, proofSheet] = useProof()
  const doubted = useRef('')
  const form = useSentForm<EnteredCard>({
    defaultValues: { holder: '', number: '', bank: '', branchCode: '', branchName: '' },
    withProof,
    send: async (entered, key) => {
      const number = bareCardNumber(entered.number)
      if (cardNumberFault(number) === 'checksum' && number !== doubted.current) {
        doubted.current = number
        throw new DoubtfulNumber()
      }
      await saveBankCard(entered, key)
    },
    onSent: leave,
    faultsOf: (error) =>
      error instanceof DoubtfulNumber
        ? { number: t('payMethods.numberChecksum') }
        : bankCardFaults(error),
  })

  return (
    <Screen title={t('payMethods.addCard')} back>
      <SentForm form={form} submit={t('payMethods.save')}>
        <TextField
          label={t('payMethods.holder')}
          placeholder={t('payMethods.holderHint')}
          autoComplete="cc-name"
          autoCapitalize="words"
          spellCheck={false}
          maxLength={100}
          {...form.field('holder', { validate: filled(t('payMethods.holderHint')) })}
        />
        <Controller
          control={form.control}
          name="number"
          rules={{
            validate: (number) => {
              if (number.trim() === '') return t('payMethods.numberHint')
              return cardNumberFault(number) !== 'length' || t('payMethods.numberLength')
            },
          }}
          render={({ field }) => (
            <CardNumberField
              label={t('payMethods.number')}
              placeholder={t('payMethods.numberHint')}
              error={form.formState.errors.number?.message}
              {...field}
            />
          )}
        />
        <TextField
          label={t('payMethods.bank')}
          placeholder={t('payMethods.bankHint')}
          autoComplete="off"
          maxLength={100}
          {...form.field('bank', { validate: filled(t('payMethods.bankHint')) })}
        />
        <TextField
          label={t('payMethods.branchCode')}
          placeholder={t('payMethods.optional')}
          autoComplete="off"
          maxLength={40}
          {...form.field('branchCode')}
        />
        <TextField
          label={t('payMethods.branchName')}
          placeholder={t('payMethods.optional')}
          autoComplete="off"
          maxLength={100}
          {...form.field('branchName')}
        />
        <Callout icon="lock">{t('payMethods.changeHolds')}</Callout>
      </SentForm>
      {proofSheet}
    </Screen>
  )
}

type CardNumberFieldProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> & {
  value: string
  onChange: (value: string) => void
}

function CardNumberField({ value, onChange, ...rest }: CardNumberFieldProps) {
  const edited = useRef<{ input: HTMLInputElement; caret: number } | null>(null)
  // Replacing the value moves the caret to the end; it is put back before the next paint.
  useLayoutEffect(() => {
    const { input, caret } = edited.current ?? {}
    edited.current = null
    if (input && caret !== undefined) input.setSelectionRange(caret, caret)
  })

  function change(input: HTMLInputElement) {
    const caret = input.selectionStart ?? input.value.length
    edited.current = { input, caret: caretInGroups(input.value, caret) }
    onChange(groupedDigits(input.value))
  }

  return (
    <TextField
      {...rest}
      value={value}
      inputMode="numeric"
      autoComplete="cc-number"
      spellCheck={false}
      translate="no"
      onChange={(event) => {
        const { isComposing } = event.nativeEvent as InputEvent
        if (isComposing) onChange(event.target.value)
        else change(event.target)
      }}
      onCompositionEnd={(event) => change(event.currentTarget)}
    />
  )
}

const GROUP = 4

/**
 * The digits of a text in groups of four, `4242 4242 42`. Digits of any script count; other characters are
 * dropped. A number that is too long is not cut, so that the mistake is visible.
 */
export function groupedDigits(text: string): string {
  return (digitsOf(text).match(/\d{1,4}/g) ?? []).join(' ')
}

/**
 * The caret's place in the grouped text: after the same digit as before.
 *
 * @param text the field's text before grouping, with the caret at `caret`
 */
export function caretInGroups(text: string, caret: number): number {
  const before = digitsOf(text.slice(0, caret)).length
  return before + Math.max(0, Math.ceil(before / GROUP) - 1)
}

function digitsOf(text: string): string {
  return asciiDigits(text).replace(/\D/g, '')
}
