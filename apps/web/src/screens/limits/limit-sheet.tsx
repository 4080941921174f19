import { AmountText } from '@sum28/ui/amount.tsx'
import { LabelAmount, LabelValue, LabelValues } from '@sum28/ui/label-values.tsx'
import { Sheet } from '@sum28/ui/sheet.tsx'
import { type Limit, pendingRaise } from '#src/data/protection.ts'
import { useLimitWords } from '#src/features/use-limit-words.ts'
import { useText } from '#src/i18n/text.ts'
import { LimitForm } from '#src/screens/limits/limit-form.tsx'
import { PendingLimit } from '#src/screens/limits/pending-limit.tsx'
import { useLimitChange } from '#src/screens/limits/use-limit-change.ts'

type LimitSheetProps = { limit: Limit; open: boolean; onClose: () => void }

/** One limit: its present figures, and the forms to change it. */
export function LimitSheet({ limit, open, onClose }: LimitSheetProps) {
  const { nameOf } = useLimitWords()
  const change = useLimitChange(limit, { onDone: onClose })
  const raise = pendingRaise(limit, Date.now())
  return (
    <Sheet open={open} onClose={onClose} title={nameOf(limit)}>
      <div className="stack-4">
        {limit.amount !== null && <LimitFigures limit={limit} amount={limit.amount} />}
        {raise && <PendingLimit raise={raise} change={change} />}
        <LimitForm limit={limit} change={change} />
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
