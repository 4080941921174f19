import { Button } from '#src/button.tsx'
import { ChoicePills } from '#src/choice-pills.tsx'
import styles from '#src/day-sheet.module.css'
import {
  type DaySpan,
  FIRST_DAY,
  QUICK_SPANS,
  type QuickSpan,
  rangeOfSpan,
  tidyRange,
} from '#src/day-span.ts'
import { Sheet } from '#src/sheet.tsx'
import { useText } from '#src/text.ts'
import { TextField } from '#src/text-field.tsx'
import { useDraft } from '#src/use-draft.ts'

type DaySheetProps = {
  open: boolean
  span: DaySpan
  /** `YYYY-MM-DD`, the operator's. */
  today: string
  onChange: (span: DaySpan) => void
  onClose: () => void
}

/** Chooses days: a quick choice applies at once, two dates after confirmation. */
export function DaySheet({ open, span, today, onChange, onClose }: DaySheetProps) {
  const t = useText()
  const [range, setRange] = useDraft(open, rangeOfSpan(span, today))

  function quick(chosen: QuickSpan) {
    setRange(rangeOfSpan(chosen, today))
    onChange(chosen)
    onClose()
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
