import { CalendarChip } from '#src/calendar-chip.tsx'
import type { DaySpan } from '#src/day-span.ts'
import { lazyComponent } from '#src/lazy-component.tsx'
import { useLocale, useText } from '#src/text.ts'
import { rangeText } from '#src/time-text.ts'

const DaySheet = lazyComponent(async () => (await import('#src/day-sheet.tsx')).DaySheet)

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
  const words = typeof span === 'string' ? t(`days.${span}`) : rangeText(span, { tag, today })
  return (
    <CalendarChip
      words={words}
      label={t('days.chosen', { days: words })}
      sheet={(shown) => <DaySheet {...shown} span={span} today={today} onChange={onChange} />}
    />
  )
}
