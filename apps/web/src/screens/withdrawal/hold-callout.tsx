import { Callout } from '@sum28/ui/callout.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { momentText } from '@sum28/ui/time-text.ts'
import { useGameZone } from '#src/data/game-zone.ts'
import { useText } from '#src/i18n/text.ts'

/** Says that withdrawals are on hold, and until when (milliseconds since 1970). */
export function HoldCallout({ until }: { until: number }) {
  const t = useText()
  const { tag } = useLocale()
  const { zone } = useGameZone()
  return (
    <Callout icon="lock" tone="warn" title={t('withdrawal.holdTitle')}>
      {t('withdrawal.hold', { time: momentText(until, { tag, zone }) })}
    </Callout>
  )
}
