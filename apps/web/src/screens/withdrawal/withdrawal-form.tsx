import { type Amount, MICRO } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useEffect } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { showFailure } from '#src/data/failure.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { maskedNumber, type PayMethod, payMethodName, unitOf } from '#src/data/pay-method.ts'
import { hasSecurityCodeQuery } from '#src/data/security-code.ts'
import { readTypedAmount, typedForm } from '#src/data/typed-amount.ts'
import type { Withdrawal, WithdrawalInfo } from '#src/data/withdrawal.ts'
import { useCountingAmount } from '#src/features/use-counting-amount.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { deadlineLooks, minuteText } from '#src/i18n/time-text.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Button } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { Card } from '#src/parts/card.tsx'
import { TextField } from '#src/parts/fields.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { RecordSign } from '#src/parts/record-row.tsx'
import { ExpectedTime } from '#src/screens/withdrawal/requests.tsx'
import { ReviewSheet } from '#src/screens/withdrawal/review-sheet.tsx'
import { keepForm, keptForm, type WithdrawalSteps } from '#src/screens/withdrawal/use-withdrawal.ts'
import styles from '#src/screens/withdrawal/withdrawal.module.css'

type Form = { amount: string; methodId: string }

/**
 * Method, security code and amount, each ticked once it is there; checked in the specification's order, then shown for
 * review. What was typed is there again after a method or a code was added.
 */
export function WithdrawalForm({
  info,
  withdrawal,
}: {
  info: WithdrawalInfo
  withdrawal: WithdrawalSteps
}) {
  const t = useText()
  const { tag } = useLocale()
  const queries = useQueryClient()
  const { data: hasSecurityCode } = useQuery(hasSecurityCodeQuery)
  const form = useForm<Form>({ defaultValues: keptForm() })
  const { control, register, handleSubmit, setValue, setError, clearErrors, formState } = form
  const { errors } = formState
  const [amount, methodId] = useWatch({ control, name: ['amount', 'methodId'] })
  useEffect(() => keepForm({ amount, methodId }), [amount, methodId])
  const min = amountText(info.min, { tag })
  const method = info.methods.find(({ id }) => String(id) === methodId)
  const only = info.methods.length === 1 ? info.methods[0] : undefined
  useEffect(() => {
    // biome-ignore lint/nursery/useReactCompiler: a field of the form, no state
    if (only) setValue('methodId', String(only.id))
  }, [only, setValue])
  const parsed = readTypedAmount(amount, { tag })
  const enough = parsed.ok && parsed.amount >= info.min && parsed.amount <= info.balance

  async function submit(form: Form) {
    let isSet = hasSecurityCode === true
    if (info.methods.length > 0 && !isSet) {
      try {
        isSet = await queries.fetchQuery({ ...hasSecurityCodeQuery, staleTime: 0 })
      } catch (error) {
        showFailure(error)
        return
      }
    }
    const checked = checkWithdrawal({ ...info, ...form, tag, hasSecurityCode: isSet })
    if (checked.ok) withdrawal.review(checked.withdrawal)
    else refuse(checked.fault)
  }

  function refuse(fault: WithdrawalFault) {
    switch (fault) {
      case 'no-method-saved':
        return withdrawal.leadTo('method', t('withdrawal.noMethod'))
      case 'no-security-code':
        return withdrawal.leadTo('code', t('withdrawal.noCode'))
      case 'amount-missing':
        return say('amount', t('withdrawal.amountHint'))
      case 'amount-wrong':
        return say('amount', t('withdrawal.amountWrong'))
      case 'below-minimum':
        return say('amount', t('withdrawal.minimum', { min }))
      case 'no-method-chosen':
        return say('methodId', t('withdrawal.chooseMethod'))
      case 'insufficient-balance':
        return withdrawal.fail({ kind: 'insufficient' })
    }
  }

  function say(field: keyof Form, message: string) {
    setError(field, { message }, { shouldFocus: true })
  }

  function takeAll() {
    // 'All' takes only two decimals of the balance.
    setValue('amount', typedForm(info.balance - (info.balance % (MICRO / 100n)), tag))
    clearErrors('amount')
  }

  return (
    <>
      <form className="stack-4" noValidate onSubmit={handleSubmit(submit)}>
        <BalanceCard balance={info.balance} />
        {info.heldUntil !== null && <HoldCallout until={info.heldUntil} />}
        <Card kind="rows">
          <Step done={method !== undefined}>
            <MethodChoice
              methods={info.methods}
              error={errors.methodId?.message}
              {...register('methodId')}
            />
          </Step>
          <Step done={hasSecurityCode === true}>
            <div className="spread-3 wrap grow">
              <span className="label">{t('settings.securityCode')}</span>
              {hasSecurityCode === false ? (
                <Link className="row tap strong" to={href('securityCode', { isTrue: 'false' })}>
                  {t('withdrawal.setCode')}
                </Link>
              ) : (
                hasSecurityCode && <span className="quiet">{t('withdrawal.codeSet')}</span>
              )}
            </div>
          </Step>
          <Step done={enough}>
            <TextField
              label={t('withdrawal.amount')}
              hint={t('withdrawal.minimum', { min })}
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              error={errors.amount?.message}
              end={
                <>
                  <span>u</span>
                  <Button kind="plain" size="s" onClick={takeAll}>
                    {t('withdrawal.all')}
                  </Button>
                </>
              }
              {...register('amount')}
            />
          </Step>
        </Card>
        <div className="grid-3 inset">
          <LabelValues>
            <LabelValue label={t('withdrawal.arrives')} weight="strong">
              {enough ? <AmountText value={parsed.amount} unit={unitOf(method)} /> : '–'}
            </LabelValue>
          </LabelValues>
          <ExpectedTime seconds={info.usualSeconds} />
        </div>
        <Button
          type="submit"
          wide
          busy={formState.isSubmitting || withdrawal.codeState === 'sending'}
          disabled={info.heldUntil !== null}
        >
          {t('action.continue')}
        </Button>
      </form>
      <ReviewSheet withdrawal={withdrawal} />
    </>
  )
}

function Step({ done, children }: { done: boolean; children: ReactNode }) {
  return (
    <div className={`marked ${styles.step}`} data-done={done}>
      <span className={styles.tick}>{done && <Icon name="check" size={16} />}</span>
      {children}
    </div>
  )
}

/** The balance that can be withdrawn. */
export function BalanceCard({ balance }: { balance: Amount }) {
  const t = useText()
  const shown = useCountingAmount(balance)
  return (
    <Card className="lines">
      <span className="quiet">{t('withdrawal.balance')}</span>
      <span className="figure bold">
        <AmountText value={shown} />
      </span>
    </Card>
  )
}

/** Says that withdrawals are on hold, and until when (milliseconds since 1970). */
export function HoldCallout({ until }: { until: number }) {
  const t = useText()
  const when = useTimeFormat()
  return (
    <Callout icon="lock" tone="warn" title={t('withdrawal.holdTitle')}>
      {t('withdrawal.hold', { time: minuteText(until, deadlineLooks(until, when)) })}
    </Callout>
  )
}

type MethodChoiceProps = Omit<ComponentProps<'input'>, 'type' | 'className' | 'value' | 'id'> & {
  methods: readonly PayMethod[]
  error: string | undefined
}

const ADD = [
  { kind: 'card', label: 'payMethods.addCard', route: 'addBankCard' },
  { kind: 'wallet', label: 'payMethods.addWallet', route: 'addWallet' },
] as const

function MethodChoice({ methods, error, ...radio }: MethodChoiceProps) {
  const t = useText()
  return (
    <fieldset className="grow" aria-describedby={error ? 'method-note' : undefined}>
      <legend className="label">{t('withdrawal.method')}</legend>
      <div className={styles.methodRows} data-invalid={error !== undefined}>
        {methods.map((method) => (
          <label key={method.id} className={styles.method}>
            <RecordSign icon={method.kind} tone="accent" />
            <span className="grow anywhere" translate="no">
              <b className="strong">{payMethodName(method)}</b>
              <br />
              <span className="num hint">{maskedNumber(method)}</span>
            </span>
            <input {...radio} type="radio" className="tick" value={String(method.id)} />
          </label>
        ))}
        {ADD.filter(({ kind }) => !methods.some((method) => method.kind === kind)).map(
          ({ kind, label, route }) => (
            <Link key={kind} className={styles.addMethod} to={href(route)}>
              <RecordSign icon="plus" tone="accent" />
              {t(label)}
            </Link>
          ),
        )}
      </div>
      {error && (
        <p id="method-note" className="fault">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/**
 * In the order of the checks: no saved method; no security code; no amount; not an amount; too
 * small; no method chosen; more than the balance.
 */
type WithdrawalFault =
  | 'no-method-saved'
  | 'no-security-code'
  | 'amount-missing'
  | 'amount-wrong'
  | 'below-minimum'
  | 'no-method-chosen'
  | 'insufficient-balance'

type CheckedWithdrawal =
  | { ok: true; withdrawal: Withdrawal }
  | { ok: false; fault: WithdrawalFault }

type Wish = {
  methods: readonly PayMethod[]
  hasSecurityCode: boolean
  /** As typed, in the language of `tag`. */
  amount: string
  tag: string
  /** The chosen method's id as text; empty where none is chosen. */
  methodId: string
  min: Amount
  balance: Amount
}

/** The first fault of a withdrawal, or the checked withdrawal. */
export function checkWithdrawal(wish: Wish): CheckedWithdrawal {
  if (wish.methods.length === 0) return fault('no-method-saved')
  if (!wish.hasSecurityCode) return fault('no-security-code')
  const parsed = readTypedAmount(wish.amount, { tag: wish.tag })
  if (!parsed.ok && parsed.fault === 'empty') return fault('amount-missing')
  if (!parsed.ok && parsed.fault === 'wrong') return fault('amount-wrong')
  if (parsed.ok && parsed.amount < wish.min) return fault('below-minimum')
  const method = wish.methods.find(({ id }) => String(id) === wish.methodId)
  if (!method) return fault('no-method-chosen')
  // An amount too large to read is more than any balance.
  if (!parsed.ok || parsed.amount > wish.balance) return fault('insufficient-balance')
  return { ok: true, withdrawal: { method, amount: parsed.amount } }
}

function fault(which: WithdrawalFault): CheckedWithdrawal {
  return { ok: false, fault: which }
}
