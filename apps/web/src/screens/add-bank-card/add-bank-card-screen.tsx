import { cardNumberFault } from '@sum28/domain/card-number.ts'
import { Button } from '@sum28/ui/button.tsx'
import { Notice } from '@sum28/ui/notice.tsx'
import { Page } from '@sum28/ui/page.tsx'
import { TextField } from '@sum28/ui/text-field.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useMutation } from '@tanstack/react-query'
import { Controller, type FieldErrors, useForm } from 'react-hook-form'
import { useLocation, useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'
import { fieldFaults } from '#src/data/failure.ts'
import { saveBankCard } from '#src/data/pay-methods.ts'
import { PageHeader } from '#src/features/page-header.tsx'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/add-bank-card/add-bank-card-screen.module.css'
import { CardNumberField } from '#src/screens/add-bank-card/card-number-field.tsx'

type CardForm = {
  holder: string
  number: string
  bank: string
  branchCode: string
  branchName: string
}

/** The fields in the order in which faults are told, and what the server calls them. */
const WIRE_NAMES = {
  holder: 'acc',
  number: 'acc_name',
  bank: 'acc_bank',
  branchCode: 'sub',
  branchName: 'sub_name',
} as const satisfies Record<keyof CardForm, string>

const FIELDS = Object.keys(WIRE_NAMES) as (keyof CardForm)[]

/** Saves the bank card that withdrawals may go to, in place of the one there was. */
export function AddBankCardScreen() {
  const t = useText()
  const navigate = useNavigate()
  const openedHere = useLocation().key === 'default'
  const { register, control, handleSubmit, setError, setFocus, formState } = useForm<CardForm>({
    defaultValues: { holder: '', number: '', bank: '', branchCode: '', branchName: '' },
  })
  const { errors } = formState
  const save = useMutation({
    mutationFn: saveBankCard,
    onSuccess: () => {
      showToast(t('payMethod.saved'))
      if (openedHere) navigate(href('payMethods', { type: '0' }), { replace: true })
      else navigate(-1)
    },
    onError: (error) => {
      showFailure(error)
      const faults = fieldFaults(error)
      const wrong = FIELDS.filter((field) => faults[WIRE_NAMES[field]])
      for (const field of wrong) setError(field, { message: faults[WIRE_NAMES[field]] ?? '' })
      if (wrong[0]) setFocus(wrong[0])
    },
  })

  function refuse(wrong: FieldErrors<CardForm>) {
    const first = FIELDS.find((field) => wrong[field])
    if (first && wrong[first]?.message) showToast(wrong[first].message)
  }

  return (
    <Page header={<PageHeader title={t('payMethod.addCard')} back />}>
      <form
        className={styles.form}
        noValidate
        onSubmit={handleSubmit((form) => save.mutate(trimmed(form)), refuse)}
      >
        <TextField
          label={t('payMethod.holder')}
          placeholder={t('payMethod.holderHint')}
          autoComplete="cc-name"
          autoCapitalize="words"
          spellCheck={false}
          maxLength={100}
          error={errors.holder?.message}
          {...register('holder', { validate: filled(t('payMethod.holderHint')) })}
        />
        <Controller
          control={control}
          name="number"
          rules={{
            validate: (number) => {
              if (number.trim() === '') return t('payMethod.numberHint')
              const fault = cardNumberFault(number)
              if (fault === 'length') return t('payMethod.numberLength')
              return fault === null || t('payMethod.numberChecksum')
            },
          }}
          render={({ field }) => (
            <CardNumberField
              label={t('payMethod.number')}
              placeholder={t('payMethod.numberHint')}
              error={errors.number?.message}
              {...field}
            />
          )}
        />
        <TextField
          label={t('payMethod.bank')}
          placeholder={t('payMethod.bankHint')}
          autoComplete="off"
          maxLength={100}
          error={errors.bank?.message}
          {...register('bank', { validate: filled(t('payMethod.bankHint')) })}
        />
        <TextField
          label={t('payMethod.branchCode')}
          placeholder={t('payMethod.optional')}
          autoComplete="off"
          maxLength={40}
          error={errors.branchCode?.message}
          {...register('branchCode')}
        />
        <TextField
          label={t('payMethod.branchName')}
          placeholder={t('payMethod.optional')}
          autoComplete="off"
          maxLength={100}
          error={errors.branchName?.message}
          {...register('branchName')}
        />
        <Notice icon="lock">{t('payMethod.changeHolds')}</Notice>
        <Button type="submit" wide busy={save.isPending}>
          {t('payMethod.save')}
        </Button>
      </form>
    </Page>
  )
}

function trimmed(form: CardForm): CardForm {
  return {
    holder: form.holder.trim(),
    number: form.number.trim(),
    bank: form.bank.trim(),
    branchCode: form.branchCode.trim(),
    branchName: form.branchName.trim(),
  }
}

/** A rule that a field must hold more than spaces; `hint` says so. */
function filled(hint: string) {
  return (value: string) => value.trim() !== '' || hint
}
