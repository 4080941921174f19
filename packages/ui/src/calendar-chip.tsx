import { type ReactNode, Suspense, useState } from 'react'
import styles from '#src/calendar-chip.module.css'
import { Icon } from '#src/icon.tsx'

/** More letters than this, as two days of two years have, are smaller. */
const LONG = 20

type CalendarChipProps = {
  /** The shown days, in words. */
  words: string
  /** The name for screen readers. */
  label: string
  /** The drawer for choosing; loaded when first opened, then kept. */
  sheet: (shown: { open: boolean; onClose: () => void }) => ReactNode
}

/** The days that a screen shows; a press opens the drawer to choose others. */
export function CalendarChip({ words, label, sheet }: CalendarChipProps) {
  const [wasOpened, setWasOpened] = useState(false)
  const [open, setOpen] = useState(false)

  function openSheet() {
    setWasOpened(true)
    setOpen(true)
  }

  return (
    <>
      <button
        type="button"
        className={styles.press}
        aria-label={label}
        aria-haspopup="dialog"
        onClick={openSheet}
      >
        <span className={styles.chip} data-long={words.length > LONG}>
          <Icon name="calendar" size={16} />
          {words}
        </span>
      </button>
      {wasOpened && <Suspense>{sheet({ open, onClose: () => setOpen(false) })}</Suspense>}
    </>
  )
}
