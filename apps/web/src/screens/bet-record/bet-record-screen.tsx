import { useInfiniteQuery } from '@tanstack/react-query'
import { useListFilter } from '#src/app/use-list-filter.ts'
import { BET_STATUSES } from '#src/data/bet.ts'
import { betHistoryQuery } from '#src/data/bet-history.ts'
import { useText } from '#src/i18n/text.ts'
import { BetRow } from '#src/screens/bet-record/bet-row.tsx'
import { ChoicePills } from '#src/ui/choice-pills.tsx'
import { DayChip } from '#src/ui/day-chip.tsx'
import { HistoryList } from '#src/ui/history-list.tsx'
import { Page } from '#src/ui/page.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'

const CHOICES = ['all', ...BET_STATUSES] as const

/** The player's bets, by days and by what became of them. */
export function BetRecordScreen() {
  const t = useText()
  const { today, span, range, choice, setSpan, setChoice } = useListFilter(BET_STATUSES)
  const bets = useInfiniteQuery(betHistoryQuery({ ...range, status: choice }))
  const days = <DayChip span={span} today={today} onChange={setSpan} />
  return (
    <Page header={<PageHeader title={t('bets.title')} back action={days} />}>
      <ChoicePills
        label={t('bets.status')}
        options={CHOICES.map((value) => ({ value, label: t(`bets.${value}`) }))}
        value={choice ?? 'all'}
        onChange={(value) => setChoice(BET_STATUSES.find((status) => status === value))}
      />
      <HistoryList
        query={bets}
        keyOf={(bet) => bet.orderNo}
        at={(bet) => bet.placedAt}
        filtered={choice !== undefined || span !== 'today'}
        empty={{ title: t('bets.none'), hint: t('bets.noneHint') }}
      >
        {(bet) => <BetRow bet={bet} />}
      </HistoryList>
    </Page>
  )
}
