import type { Day } from '@sum28/domain/schedule.ts'
import { type ReactNode, useState } from 'react'
import styles from '#src/features/day-chip.module.css'
import { type DaySpan, dayText } from '#src/i18n/days.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { rangeText } from '#src/i18n/time-text.ts'
import { Icon } from '#src/parts/icon.tsx'
import { lazyOverlay } from '#src/parts/lazy-overlay.tsx'

const DaySheet = lazyOverlay(async () => (await import('#src/features/day-sheet.tsx')).DaySheet)

type DayChipProps = {
  span: DaySpan
  /** `YYYY-MM-DD`, the operator's. */
  today: string
  onChange: (span: DaySpan) => void
}

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

const OneDaySheet = lazyOverlay(
  async () => (await import('#src/features/day-sheet.tsx')).OneDaySheet,
)

type OneDayChipProps<Choice extends Day | null> = {
  /** Null: all days. */
  day: Choice
  /** The operator's. */
  today: Day
  /** Whether 'all days' can be chosen. */
  withAll: null extends Choice ? true : false
  onChange: (day: Choice) => void
}

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

/** More letters than this, as two days of two years have, are smaller. */
const LONG = 20

type CalendarChipProps = {
  words: string
  label: string
  sheet: (shown: { open: boolean; onClose: () => void }) => ReactNode
}

function CalendarChip({ words, label, sheet }: CalendarChipProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={styles.chip}
        data-long={words.length > LONG}
        aria-label={label}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="calendar" size={16} />
        <span>{words}</span>
      </button>
      {sheet({ open, onClose: () => setOpen(false) })}
    </>
  )
}
