import { lazy, Suspense, useState } from 'react'
import type { DaySpan } from '#src/data/day-span.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import styles from '#src/ui/day-chip.module.css'
import { Icon } from '#src/ui/icon.tsx'
import { rangeText } from '#src/ui/time-text.ts'

const DaySheet = lazy(async () => ({ default: (await import('#src/ui/day-sheet.tsx')).DaySheet }))

type DayChipProps = {
  span: DaySpan
  /** `YYYY-MM-DD`, the operator's. */
  today: string
  onChange: (span: DaySpan) => void
}

/** The days that a list shows; pressed, it opens the drawer in which they are chosen. */
export function DayChip({ span, today, onChange }: DayChipProps) {
  const t = useText()
  const { tag } = useLocale()
  const [asked, setAsked] = useState(false)
  const [open, setOpen] = useState(false)
  const words = typeof span === 'string' ? t(`days.${span}`) : rangeText(span, tag)

  function openSheet() {
    setAsked(true)
    setOpen(true)
  }

  return (
    <>
      <button
        type="button"
        className={styles.press}
        aria-label={t('days.chosen', { days: words })}
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
          <DaySheet
            open={open}
            span={span}
            today={today}
            onChange={onChange}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
