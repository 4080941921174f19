import { ChoicePills } from '@sum28/ui/choice-pills.tsx'
import { DayChip } from '@sum28/ui/day-chip.tsx'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { BET_STATUSES } from '#src/data/bet.ts'
import { betHistoryQuery, betTotalsQuery } from '#src/data/bet-history.ts'
import { HistoryList } from '#src/features/history-list.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { PullToRefresh } from '#src/features/pull-to-refresh.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { useListFilter } from '#src/navigation/use-list-filter.ts'
import { BetRow } from '#src/screens/bet-history/bet-row.tsx'
import { BetTotalsCard } from '#src/screens/bet-history/bet-totals-card.tsx'

const CHOICES = ['all', ...BET_STATUSES] as const

/** The player's bets, filtered by days and state, with their totals. */
export function BetHistoryScreen() {
  const t = useText()
  const { today, span, range, choice, setSpan, setChoice } = useListFilter(
    'betHistory',
    BET_STATUSES,
  )
  const filter = { ...range, status: choice }
  const bets = useInfiniteQuery(betHistoryQuery(filter))
  const totals = useQuery(betTotalsQuery(filter))
  const refresh = () =>
    Promise.all([bets, totals].map((query) => query.refetch({ throwOnError: true })))
  const days = <DayChip span={span} today={today} onChange={setSpan} />
  return (
    <Screen title={t('betHistory.title')} back action={days}>
      <PullToRefresh onRefresh={refresh}>
        <div className="beside">
          <div className="stack-3 shrink">
            <ChoicePills
              label={t('betHistory.status')}
              options={CHOICES.map((value) => ({ value, label: t(`betHistory.${value}`) }))}
              value={choice ?? 'all'}
              onChange={(value) => setChoice(BET_STATUSES.find((status) => status === value))}
            />
            {/* The list shows the failure already. */}
            {!bets.isLoadingError && (
              <Loaded query={totals} skeleton={<Skeleton height={216} />}>
                {(found) =>
                  found.count > 0 ? <BetTotalsCard totals={found} range={range} /> : null
                }
              </Loaded>
            )}
          </div>
          <div className="stack-3 shrink">
            <HistoryList
              query={bets}
              keyOf={(bet) => bet.orderNo}
              at={(bet) => bet.placedAt}
              range={JSON.stringify(filter)}
              empty={{ title: t('betHistory.none'), hint: t('betHistory.noneHint') }}
            >
              {(bet) => <BetRow bet={bet} />}
            </HistoryList>
          </div>
        </div>
      </PullToRefresh>
    </Screen>
  )
}
