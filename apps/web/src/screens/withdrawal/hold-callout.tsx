import { Callout } from '@sum28/ui/callout.tsx'
import { momentText } from '@sum28/ui/time-text.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'

/** Says that withdrawals are on hold, and until when (milliseconds since 1970). */
export function HoldCallout({ until }: { until: number }) {
  const t = useText()
  const when = useTimeFormat()
  return (
    <Callout icon="lock" tone="warn" title={t('withdrawal.holdTitle')}>
      {t('withdrawal.hold', { time: momentText(until, when) })}
    </Callout>
  )
}
