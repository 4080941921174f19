import type { DownloadedFile, DownloadWatch } from '@sum28/contract/read-download.ts'
import { orderCsv } from '@sum28/contract/user-routes.ts'
import { roundNumber } from '@sum28/domain/issues.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  BET_STATUSES,
  type Bet,
  type BetTotals,
  betHistoryQuery,
  betTotalsQuery,
} from '#src/data/bet.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { DayChip } from '#src/features/day-chip.tsx'
import { DrawShield } from '#src/features/draw-shield.tsx'
import { DrawTiles } from '#src/features/draw-tiles.tsx'
import { GameLogo, gameCode } from '#src/features/game-logo.tsx'
import { downloadOwnFile, HandedFile, useDownload } from '#src/features/handed-file.tsx'
import { HistoryList } from '#src/features/history-list.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { NotWitnessed } from '#src/features/local-beacon-note.tsx'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { useRoomTitle } from '#src/features/room-title.ts'
import { Screen } from '#src/features/screen.tsx'
import type { DayRange } from '#src/i18n/days.ts'
import { sizeText } from '#src/i18n/number-text.ts'
import { language, useLocale, useText } from '#src/i18n/text.ts'
import { clockTimeText } from '#src/i18n/time-text.ts'
import { href } from '#src/navigation/routes.ts'
import { useListFilter } from '#src/navigation/use-list-filter.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Button } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'
import { ChoicePills } from '#src/parts/choice-pills.tsx'
import { LabelAmount, LabelValues } from '#src/parts/label-values.tsx'
import { RecordBadge, RecordRow } from '#src/parts/record-row.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'

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
    <Screen title={t('betHistory.title')} back action={days} onRefresh={refresh}>
      <div className="beside">
        <div className="stack-3 shrink">
          <ChoicePills
            label={t('betHistory.status')}
            options={CHOICES.map((value) => ({ value, label: t(`bet.${value}`) }))}
            value={choice ?? 'all'}
            onChange={(value) => setChoice(BET_STATUSES.find((status) => status === value))}
          />
          {/* The list shows the failure already. */}
          {!bets.isLoadingError && (
            <Loaded query={totals} skeleton={<Skeleton height={216} />}>
              {(found) => (found.count > 0 ? <BetTotalsCard totals={found} range={range} /> : null)}
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
    </Screen>
  )
}

/** The bet's own page shows all of them. */
const TAGS_MAX = 4

function BetRow({ bet }: { bet: Bet }) {
  const t = useText()
  const when = useTimeFormat()
  const roomTitle = useRoomTitle()
  return (
    <RecordRow
      to={href('bet', { item: JSON.stringify({ orderNo: bet.orderNo }) })}
      sign={<GameLogo game={gameCode(bet.gameId)} size={32} />}
      title={`${bet.game} · ${roomTitle({ title: bet.room })}`}
      value={<BetProfit bet={bet} />}
      note={
        <>
          {t('round.number', { round: roundNumber(bet.roundId) })} ·{' '}
          {clockTimeText(bet.placedAt, when)}
        </>
      }
      noteEnd={
        <>
          {t('betHistory.staked')} <AmountText value={bet.staked} />
        </>
      }
    >
      <div className="spread-3">
        <OutcomeTags outcomes={bet.outcomes} max={TAGS_MAX} />
        {bet.digits && (
          <span className="row-2 fixed">
            <DrawTiles digits={bet.digits} size="s" />
            <DrawShield kind="mark" gameId={bet.gameId} roundId={bet.roundId} digits={bet.digits} />
          </span>
        )}
      </div>
      {bet.witnessed === false && <NotWitnessed />}
    </RecordRow>
  )
}

/**
 * The result of a bet: pending, a figure, no profit, or refunded. A bet that hit, but paid no more than its stakes, does
 * not look like a win (UK Gambling Commission, RTS 14F).
 */
function BetProfit({ bet: { result, profit } }: { bet: Bet }) {
  const t = useText()
  if (result === 'won') {
    return (
      <span className={profit > 0n ? undefined : 'quiet medium'}>
        <AmountText value={profit} signed />
      </span>
    )
  }
  if (result === 'lost') return <span className="quiet medium">{t('bet.lost')}</span>
  if (result === 'refunded') return <RecordBadge>{t('bet.refunded')}</RecordBadge>
  return (
    <span className="nowrap">
      <RecordBadge tone="warn">{t('bet.pending')}</RecordBadge> <span className="hint">----</span>
    </span>
  )
}

function BetTotalsCard({ totals, range }: { totals: BetTotals; range: DayRange }) {
  const t = useText()
  return (
    <Card className="stack-2">
      <div className="ends quiet">
        <h2>{t('betHistory.totals')}</h2>
        <span className="num fixed">{t('betHistory.count', { count: totals.count })}</span>
      </div>
      <LabelValues>
        <LabelAmount label={t('betHistory.staked')} value={totals.staked} />
        {totals.pending > 0n && (
          <LabelAmount label={t('bet.pending')} weight="part" value={totals.pending} />
        )}
        {totals.refunded > 0n && (
          <LabelAmount label={t('bet.refunded')} weight="part" value={totals.refunded} />
        )}
        <LabelAmount label={t('bet.payout')} value={totals.payout} />
        <LabelAmount label={t('figures.net')} weight="strong" value={totals.result} signed />
      </LabelValues>
      <BetExport range={range} />
    </Card>
  )
}

function BetExport({ range }: { range: DayRange }) {
  const t = useText()
  const { tag } = useLocale()
  const { bytes, file, start, cancel } = useDownload((watch) => exportBets(range, watch))
  const busy = bytes !== null
  return (
    <>
      <div className="spread-3">
        <p className="num caption shrink">
          {busy
            ? t('betHistory.exporting', { size: sizeText(bytes, tag) })
            : t('betHistory.exportNote')}
        </p>
        <Button
          kind={busy ? 'plain' : 'soft'}
          size="s"
          className="fixed"
          onClick={busy ? cancel : start}
        >
          {busy ? t('betHistory.stop') : t('betHistory.export')}
        </Button>
      </div>
      <HandedFile file={file} />
    </>
  )
}

/** Fetches all bets of some days, in every state, as CSV. Rejects as {@link downloadOwnFile} does. */
function exportBets({ from, to }: DayRange, watch: DownloadWatch): Promise<DownloadedFile> {
  const query = new URLSearchParams({
    begin_date: from,
    end_date: to,
    lang: language.get().locale,
    host: location.host,
  })
  const { path, mediaType } = orderCsv
  return downloadOwnFile(
    { path: `${path}?${query}`, mediaType, name: `bets-${from}-${to}.csv` },
    watch,
  )
}
