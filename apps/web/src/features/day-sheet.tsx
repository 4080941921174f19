import { addDays, type Day, isDay } from '@sum28/domain/schedule.ts'
import { useState } from 'react'
import styles from '#src/features/day-chip.module.css'
import {
  type DaySpan,
  FIRST_DAY,
  QUICK_SPANS,
  type QuickSpan,
  rangeOfSpan,
  tidyRange,
} from '#src/i18n/days.ts'
import { useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { ChoicePills } from '#src/parts/choice-pills.tsx'
import { TextField } from '#src/parts/fields.tsx'
import { Sheet } from '#src/parts/overlays.tsx'

type DaySheetProps = {
  open: boolean
  span: DaySpan
  /** `YYYY-MM-DD`, the operator's. */
  today: string
  onChange: (span: DaySpan) => void
  onClose: () => void
}

/**
 * Chooses days: a quick choice applies at once, two dates after confirmation. An arrow key leaves the sheet open, since it
 * comes past each day between two.
 */
export function DaySheet({ open, span, today, onChange, onClose }: DaySheetProps) {
  const t = useText()
  const [range, setRange] = useDraft(open, rangeOfSpan(span, today))

  function quick(chosen: QuickSpan, byArrow: boolean) {
    setRange(rangeOfSpan(chosen, today))
    onChange(chosen)
    if (!byArrow) onClose()
  }

  function confirm() {
    const tidy = tidyRange({ from: range.from || today, to: range.to || today }, today)
    setRange(tidy)
    onChange(tidy)
    onClose()
  }

  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('days.title')}
      footer={
        <Button wide onClick={confirm}>
          {t('days.show')}
        </Button>
      }
    >
      <div className="stack-4">
        <ChoicePills
          kind="wrap"
          label={t('days.title')}
          options={QUICK_SPANS.map((value) => ({ value, label: t(`days.${value}`) }))}
          value={typeof span === 'string' ? span : null}
          onChange={quick}
          onChosenAgain={onClose}
        />
        <div className={styles.dates}>
          <TextField
            label={t('days.from')}
            type="date"
            min={FIRST_DAY}
            max={today}
            value={range.from}
            onChange={(event) => setRange({ ...range, from: event.target.value })}
          />
          <TextField
            label={t('days.to')}
            type="date"
            min={FIRST_DAY}
            max={today}
            value={range.to}
            onChange={(event) => setRange({ ...range, to: event.target.value })}
          />
        </div>
        <p className="hint">{t('days.hint')}</p>
      </div>
    </Sheet>
  )
}

type OneDaySheetProps = {
  open: boolean
  /** Null: all days. */
  day: Day | null
  /** The operator's. */
  today: Day
  withAll: boolean
  onChange: (day: Day | null) => void
  onClose: () => void
}

/** Chooses a game day: a quick choice applies at once, a date after confirmation. */
export function OneDaySheet({ open, day, today, withAll, onChange, onClose }: OneDaySheetProps) {
  const t = useText()
  const [typed, setTyped] = useDraft<string>(open, day ?? today)
  const yesterday = addDays(today, -1)
  // Days in this form sort as text.
  const fault = isDay(typed) && typed >= FIRST_DAY && typed <= today ? undefined : t('day.fault')

  function choose(chosen: Day | null, byArrow = false) {
    onChange(chosen)
    if (!byArrow) onClose()
  }

  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('day.title')}
      footer={
        <Button wide disabled={fault !== undefined} onClick={() => choose(typed)}>
          {t('day.show')}
        </Button>
      }
    >
      <div className="stack-4">
        <ChoicePills
          label={t('day.title')}
          options={[
            ...(withAll ? [{ value: 'all', label: t('day.all') }] : []),
            { value: today, label: t('days.today') },
            { value: yesterday, label: t('days.yesterday') },
          ]}
          value={day ?? 'all'}
          onChange={(chosen, byArrow) => choose(chosen === 'all' ? null : chosen, byArrow)}
          onChosenAgain={onClose}
        />
        <TextField
          label={t('day.field')}
          type="date"
          min={FIRST_DAY}
          max={today}
          value={typed}
          error={fault}
          onChange={(event) => setTyped(event.target.value)}
        />
        <p className="hint">{t('day.hint')}</p>
      </div>
    </Sheet>
  )
}

/**
 * What is being entered in an overlay. At each opening it begins as the value that the screen
 * shows, and follows that value until the user enters something.
 */
export function useDraft<Value extends object | string>(
  open: boolean,
  shown: Value,
): [Value, (entered: Value) => void] {
  const [entered, setEntered] = useState<Value | null>(null)
  const [wasOpen, setWasOpen] = useState(open)
  // Not in an effect: it could run after the first input, which would then be lost.
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setEntered(null)
  }
  return [entered ?? shown, setEntered]
}
