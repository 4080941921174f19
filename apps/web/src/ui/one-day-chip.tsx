import type { Day } from '@sum28/domain/schedule.ts'
import { lazy, Suspense, useState } from 'react'
import { useLocale, useText } from '#src/i18n/text.ts'
import styles from '#src/ui/day-chip.module.css'
import { dayText } from '#src/ui/day-text.ts'
import { Icon } from '#src/ui/icon.tsx'

const OneDaySheet = lazy(async () => ({
  default: (await import('#src/ui/one-day-sheet.tsx')).OneDaySheet,
}))

type OneDayChipProps<Choice extends Day | null> = {
  /** Null: all days. */
  day: Choice
  /** The operator's. */
  today: Day
  /** Whether all days may be chosen too. */
  withAll: null extends Choice ? true : false
  onChange: (day: Choice) => void
}

/** The game day that is shown; pressed, it opens the drawer in which another one is chosen. */
export function OneDayChip<Choice extends Day | null>(props: OneDayChipProps<Choice>) {
  const t = useText()
  const { tag } = useLocale()
  const [asked, setAsked] = useState(false)
  const [open, setOpen] = useState(false)
  const { day, today } = props
  const words =
    day === null ? t('day.all') : day === today ? t('days.today') : dayText(day, { tag, today })

  function openSheet() {
    setAsked(true)
    setOpen(true)
  }

  return (
    <>
      <button
        type="button"
        className={styles.press}
        aria-label={t('day.chosen', { day: words })}
        aria-haspopup="dialog"
        onClick={openSheet}
      >
        <span className={styles.chip}>
          <Icon name="calendar" size={16} />
          {words}
        </span>
      </button>
      {asked && (
        <Suspense>
          <OneDaySheet
            key={String(day)}
            open={open}
            day={day}
            today={today}
            withAll={props.withAll}
            // Null comes back only where it was offered.
            onChange={(chosen) => props.onChange(chosen as Choice)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
