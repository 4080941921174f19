import { addDays, type Day, isDay } from '@sum28/domain/schedule.ts'
import { Button } from '#src/button.tsx'
import { ChoicePills } from '#src/choice-pills.tsx'
import { FIRST_DAY } from '#src/day-span.ts'
import { Sheet } from '#src/sheet.tsx'
import { useText } from '#src/text.ts'
import { TextField } from '#src/text-field.tsx'
import { useDraft } from '#src/use-draft.ts'

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

  function choose(chosen: Day | null) {
    onChange(chosen)
    onClose()
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
          onChange={(chosen) => choose(chosen === 'all' ? null : chosen)}
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
