import type { DaySpan } from '#src/data/day-span.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { CalendarChip } from '#src/ui/calendar-chip.tsx'
import { lazyPiece } from '#src/ui/lazy-piece.tsx'
import { rangeText } from '#src/ui/time-text.ts'

const DaySheet = lazyPiece(async () => (await import('#src/ui/day-sheet.tsx')).DaySheet)

type DayChipProps = {
  span: DaySpan
  /** `YYYY-MM-DD`, the operator's. */
  today: string
  onChange: (span: DaySpan) => void
}

/** The days that a list shows. */
export function DayChip({ span, today, onChange }: DayChipProps) {
  const t = useText()
  const { tag } = useLocale()
  const words = typeof span === 'string' ? t(`days.${span}`) : rangeText(span, tag)
  return (
    <CalendarChip
      words={words}
      label={t('days.chosen', { days: words })}
      sheet={(shown) => <DaySheet {...shown} span={span} today={today} onChange={onChange} />}
    />
  )
}
