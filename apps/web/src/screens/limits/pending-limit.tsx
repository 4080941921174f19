import { amountText } from '@sum28/ui/amount-format.ts'
import { Button } from '@sum28/ui/button.tsx'
import { Callout } from '@sum28/ui/callout.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import type { pendingRaise } from '#src/data/protection.ts'
import { useLimitWords } from '#src/features/use-limit-words.ts'
import { useText } from '#src/i18n/text.ts'
import type { LimitChange } from '#src/screens/limits/use-limit-change.ts'

type PendingLimitProps = {
  raise: NonNullable<ReturnType<typeof pendingRaise>>
  change: LimitChange
}

/** A requested higher limit: when it can be confirmed, and a button to cancel it. */
export function PendingLimit({ raise, change }: PendingLimitProps) {
  const t = useText()
  const { tag } = useLocale()
  const { soon } = useLimitWords()
  const { own, from, ready } = raise
  const until = soon(raise.until)
  const title =
    own === null
      ? t('limits.removalAsked')
      : t('limits.higherAsked', { amount: amountText(own, { tag }) })
  return (
    <div className="stack-2">
      <Callout icon="clock" tone="warn" title={title}>
        {ready
          ? t('limits.confirmNow', { until })
          : t('limits.confirmFrom', { from: soon(from), until })}
      </Callout>
      <Button kind="soft" wide busy={change.busy} onClick={change.keep}>
        {t('limits.keep')}
      </Button>
      {ready && (
        <Button kind="soft" wide busy={change.busy} onClick={change.confirm}>
          {t('limits.confirm')}
        </Button>
      )}
    </div>
  )
}
