import type { Day } from '@sum28/domain/schedule.ts'
import { CalendarChip } from '#src/calendar-chip.tsx'
import { dayText } from '#src/day-text.ts'
import { lazyComponent } from '#src/lazy-component.tsx'
import { useLocale, useText } from '#src/text.ts'

const OneDaySheet = lazyComponent(async () => (await import('#src/one-day-sheet.tsx')).OneDaySheet)

type OneDayChipProps<Choice extends Day | null> = {
  /** Null: all days. */
  day: Choice
  /** The operator's. */
  today: Day
  /** Whether 'all days' can be chosen. */
  withAll: null extends Choice ? true : false
  onChange: (day: Choice) => void
}

/** The game day that is shown. */
export function OneDayChip<Choice extends Day | null>(props: OneDayChipProps<Choice>) {
  const t = useText()
  const { tag } = useLocale()
  const { day, today, withAll } = props
  const words =
    day === null ? t('day.all') : day === today ? t('days.today') : dayText(day, { tag, today })
  return (
    <CalendarChip
      words={words}
      label={t('day.chosen', { day: words })}
      sheet={(shown) => (
        <OneDaySheet
          {...shown}
          key={String(day)}
          day={day}
          today={today}
          withAll={withAll}
          // Null comes only if it was offered.
          onChange={(chosen) => props.onChange(chosen as Choice)}
        />
      )}
    />
  )
}
