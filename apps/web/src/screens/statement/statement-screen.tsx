import { ChoicePills } from '@sum28/ui/choice-pills.tsx'
import { DayChip } from '@sum28/ui/day-chip.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useListFilter } from '#src/app/use-list-filter.ts'
import { statementQuery } from '#src/data/statement.ts'
import { MOVEMENTS } from '#src/data/statement-entry.ts'
import { HistoryList } from '#src/features/history-list.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { EntryRow } from '#src/screens/statement/entry-row.tsx'

const CHOICES = ['all', ...MOVEMENTS] as const

/** The player's statement, by days and by kind of movement. */
export function StatementScreen() {
  const t = useText()
  const { today, span, range, choice, setSpan, setChoice } = useListFilter(MOVEMENTS)
  const entries = useInfiniteQuery(statementQuery({ ...range, movement: choice }))
  const days = <DayChip span={span} today={today} onChange={setSpan} />
  return (
    <Screen title={t('statement.title')} back action={days}>
      <ChoicePills
        label={t('statement.kind')}
        options={CHOICES.map((value) => ({ value, label: t(`statement.${value}`) }))}
        value={choice ?? 'all'}
        onChange={(value) => setChoice(MOVEMENTS.find((movement) => movement === value))}
      />
      <HistoryList
        query={entries}
        keyOf={(entry) => entry.id}
        at={(entry) => entry.postedAt}
        range={JSON.stringify({ ...range, choice })}
        empty={{ title: t('statement.none'), hint: t('statement.noneHint') }}
      >
        {(entry) => <EntryRow entry={entry} />}
      </HistoryList>
    </Screen>
  )
}
