import { confirmLimit, setLimit } from '@sum28/contract/protection-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '#src/data/client.ts'
import { type Limit, pendingRaise, protectionQuery } from '#src/data/protection.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { readTypedAmount } from '#src/data/typed-amount.ts'
import { useLimitWords } from '#src/features/use-limit-left.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Button } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { TextField } from '#src/parts/fields.tsx'
import { LabelAmount, LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { Sheet } from '#src/parts/overlays.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import { useQuestion } from '#src/parts/use-question.tsx'

type LimitSheetProps = { limit: Limit; onBreak: boolean; open: boolean; onClose: () => void }

/** One limit: its present figures, and the forms to change it. */
export function LimitSheet({ limit, onBreak, open, onClose }: LimitSheetProps) {
  const { nameOf } = useLimitWords()
  const change = useLimitChange(limit, { onBreak, onDone: onClose })
  const raise = pendingRaise(limit, serverNow())
  return (
    <Sheet open={open} onClose={onClose} title={nameOf(limit)}>
      <div className="stack-4">
        {limit.amount !== null && <LimitFigures limit={limit} amount={limit.amount} />}
        {raise && <PendingLimit raise={raise} onBreak={onBreak} change={change} />}
        <LimitForm limit={limit} onBreak={onBreak} change={change} />
      </div>
    </Sheet>
  )
}

function LimitFigures({ limit, amount }: { limit: Limit; amount: bigint }) {
  const t = useText()
  const { soon } = useLimitWords()
  const { own, by, used, left, nextPeriodAt } = limit
  const isOthers = by === 'operator' || by === 'law'
  return (
    <div className="stack-2">
      <LabelValues kind="boxed">
        <LabelAmount label={by === null ? t('limits.now') : t(`limits.by.${by}`)} value={amount} />
        {isOthers && (
          <LabelValue label={t('limits.own')}>
            {own === null ? t('limits.none') : <AmountText value={own} />}
          </LabelValue>
        )}
        <LabelAmount label={t('limits.used')} value={used} />
        {left !== null && <LabelAmount label={t('limits.left')} weight="strong" value={left} />}
        <LabelValue label={t('limits.beginsAnew')}>{soon(nextPeriodAt)}</LabelValue>
      </LabelValues>
      {isOthers && <p className="quiet">{t('limits.ownLower')}</p>}
    </div>
  )
}

type PendingLimitProps = {
  raise: NonNullable<ReturnType<typeof pendingRaise>>
  onBreak: boolean
  change: LimitChange
}

function PendingLimit({ raise, onBreak, change }: PendingLimitProps) {
  const t = useText()
  const { tag } = useLocale()
  const { soon } = useLimitWords()
  const { own, from, ready } = raise
  const until = soon(raise.until)
  const whenText = ready
    ? t('limits.confirmNow', { until })
    : t('limits.confirmFrom', { from: soon(from), until })
  const title =
    own === null
      ? t('limits.removalAsked')
      : t('limits.higherAsked', { amount: amountText(own, { tag }) })
  return (
    <div className="stack-2">
      <Callout icon="clock" tone="warn" title={title}>
        {onBreak ? t('limits.confirmNotInBreak') : whenText}
      </Callout>
      <Button kind="soft" wide busy={change.busy} onClick={change.keep}>
        {t('limits.keep')}
      </Button>
      {ready && !onBreak && (
        <Button kind="soft" wide busy={change.busy} onClick={change.confirm}>
          {t('limits.confirm')}
        </Button>
      )}
    </div>
  )
}

type LimitFormProps = { limit: Limit; onBreak: boolean; change: LimitChange }

function LimitForm({ limit: { own }, onBreak, change }: LimitFormProps) {
  const t = useText()
  const { tag } = useLocale()
  const { soon } = useLimitWords()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const read = readTypedAmount(typed, { tag })
  const higher = read.ok && own !== null && read.amount > own
  const later = soon(serverNow() + RAISE_WAIT_MS)
  const laterText = onBreak ? t('limits.confirmNotInBreak') : t('limits.later', { time: later })

  const [ask, question] = useQuestion({
    title: t('limits.removeAsk'),
    text: onBreak ? t('limits.confirmNotInBreak') : t('limits.removeText', { time: later }),
    confirm: t('limits.remove'),
    onConfirm: () => change.set(null),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (read.ok) return change.set(read.amount)
    setError(t(read.fault === 'empty' ? 'limits.amountHint' : 'withdrawal.amountWrong'))
    field.current?.focus()
  }

  return (
    <form className="stack-3" noValidate onSubmit={submit}>
      <TextField
        ref={field}
        label={t('limits.amount')}
        hint={higher ? laterText : t('limits.atOnce')}
        error={error}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        end={<span>u</span>}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setError(undefined)
        }}
      />
      <Button type="submit" wide busy={change.busy}>
        {t(higher ? 'limits.askHigher' : 'limits.set')}
      </Button>
      {own !== null && (
        <Button kind="soft" wide onClick={ask}>
          {t('limits.remove')}
        </Button>
      )}
      {question}
    </form>
  )
}

/** The time from the request of a higher limit until it can be confirmed. */
const RAISE_WAIT_MS = 24 * 60 * 60 * 1_000

type LimitChange = ReturnType<typeof useLimitChange>

function useLimitChange(
  { kind, period, own }: Limit,
  { onBreak, onDone }: { onBreak: boolean; onDone: () => void },
) {
  const t = useText()
  const { nameOf, soon } = useLimitWords()

  async function send(change: 'confirm' | { own: Amount | null }): Promise<string> {
    if (change === 'confirm') {
      await call(confirmLimit, { kind, period })
      return t('limits.raised')
    }
    // Without an amount it removes the limit; with the present one it cancels a requested higher limit.
    const money = change.own === null ? {} : { money: formatAmount(change.own) }
    const { outcome } = await call(setLimit, { kind, period, ...money })
    if (outcome === 'lowered') return t('limits.lowered')
    if (outcome === 'same') return t('limits.same')
    if (onBreak) return t('limits.confirmNotInBreak')
    return t('limits.asked', { time: soon(serverNow() + RAISE_WAIT_MS) })
  }

  const changing = useMutation({
    // Not in onSuccess, which would close the sheet that is open then.
    mutationFn: async (change: Parameters<typeof send>[0]) => {
      const text = await send(change)
      // Another limit may be shown by now.
      showToast(`${nameOf({ kind, period })} · ${text}`)
      onDone()
    },
    // Also after a failure: the answer may have been lost.
    onSettled: () => refetchQuery(protectionQuery),
  })
  return {
    busy: changing.isPending,
    /** Sets the own limit; null: none. */
    set: (amount: Amount | null) => changing.mutate({ own: amount }),
    confirm: () => changing.mutate('confirm'),
    keep: () => changing.mutate({ own }),
  }
}
