import { sumOfDigits } from '@sum28/domain/digits.ts'
import { roundNumber } from '@sum28/domain/issues.ts'
import type { NamedOutcome } from '@sum28/domain/outcomes.ts'
import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { Game } from '#src/data/games.ts'
import {
  CANDLE_TYPES,
  type ChartRound,
  type HiddenTypes,
  MARKER_TYPES,
} from '#src/data/rounds/candles.ts'
import { useChartRounds } from '#src/data/rounds/use-rounds.ts'
import { REVEAL_MS } from '#src/features/draw-tiles.tsx'
import { GameTabs } from '#src/features/game-tabs.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { useOutcomeWord } from '#src/features/outcome-tag.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Button } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'
import { classNames } from '#src/parts/class-names.ts'
import { Icon, IconButton } from '#src/parts/icon.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { prefersReducedMotion } from '#src/parts/reduced-motion.ts'
import { Skeleton } from '#src/parts/skeleton.tsx'
import type { ChartZoom } from '#src/screens/charts/candle-chart.tsx'
import { RoundHead, RoundTable } from '#src/screens/charts/chart-rounds.tsx'
import styles from '#src/screens/charts/charts.module.css'

/** A game's rounds as candles, live. */
export function ChartsScreen() {
  const t = useText()
  // In the address, so that the same game is shown after going back.
  const [query, setQuery] = useRouteQuery('charts')
  const [hidden, setHidden] = useState<HiddenTypes>(new Set())

  function toggle(type: NamedOutcome) {
    const next = new Set(hidden)
    if (!next.delete(type)) next.add(type)
    setHidden(next)
  }

  return (
    <Screen title={t('tab.charts')}>
      <GameTabs
        open={query.game_id}
        onOpen={(id) => setQuery({ game_id: id })}
        skeleton={
          <>
            <Skeleton height={50} />
            <ChartSkeleton />
          </>
        }
      >
        {(game) => <GameChart key={game.id} game={game} hidden={hidden} onToggle={toggle} />}
      </GameTabs>
    </Screen>
  )
}

// Loaded while the rounds are awaited: the library is large, and the rest of the screen does not need it.
const chart = () => import('#src/screens/charts/candle-chart.tsx')
const CandleChart = lazyComponent(async () => (await chart()).CandleChart)
chart().catch(() => {})

type GameChartProps = {
  game: Game
  hidden: HiddenTypes
  onToggle: (type: NamedOutcome) => void
}

function GameChart({ game, hidden, onToggle }: GameChartProps) {
  const t = useText()
  const rounds = useChartRounds(game.id)
  const gameParams = { game_id: String(game.id), name: game.name }
  return (
    <>
      <Loaded
        query={rounds}
        skeleton={<ChartSkeleton />}
        empty={(list) =>
          list.length === 0 && {
            icon: 'chart',
            title: t('charts.none'),
            hint: t('charts.noneHint'),
          }
        }
      >
        {(list) => (
          <ChartCard
            game={game}
            rounds={list}
            hidden={hidden}
            onToggle={onToggle}
            loadingOlder={rounds.isFetchingNextPage}
            olderFailed={rounds.isFetchNextPageError}
            onOlder={() => {
              if (rounds.hasNextPage && !rounds.isFetching) rounds.fetchNextPage()
            }}
          />
        )}
      </Loaded>
      {/* Not before what is above them has its height. */}
      {!rounds.isPending && (
        <Card kind="rows">
          <ListRow icon="line" title={t('menu.trend')} to={href('trend', gameParams)} />
          <ListRow icon="list" title={t('menu.pastRounds')} to={href('pastRounds', gameParams)} />
        </Card>
      )}
    </>
  )
}

type ChartCardProps = GameChartProps & {
  /** Oldest first; at least one. */
  rounds: readonly ChartRound[]
  loadingOlder: boolean
  olderFailed: boolean
  onOlder: () => void
}

/** By how much a press changes the candles' width. */
const ZOOM = 1.4

function ChartCard({ game, rounds, hidden, onToggle, ...older }: ChartCardProps) {
  const t = useText()
  // The pointed round before the chosen one, and that before the latest.
  const [pointed, setPointed] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [atEnd, setAtEnd] = useState(true)
  const revealed = useRevealedRounds(rounds)
  const zoom = useRef<ChartZoom>(null)
  const shownRoundId = pointed ?? chosen
  const at = shownRoundId ? rounds.findIndex(({ roundId }) => roundId === shownRoundId) : -1
  const shownAt = at >= 0 ? at : rounds.length - 1
  const shown = rounds[shownAt]
  if (!shown) return null

  return (
    <Card className={styles.card} role="region" aria-label={game.name}>
      <RoundHead
        gameId={game.id}
        round={shown}
        live={shownAt === rounds.length - 1}
        earlier={rounds[shownAt - 1]?.roundId ?? null}
        later={rounds[shownAt + 1]?.roundId ?? null}
        onChoose={setChosen}
      />
      <p className="unseen" role="status" aria-live="polite">
        {chosen !== null && chosen === shownRoundId && <SaidRound round={shown} />}
      </p>
      <div className={styles.chartBox}>
        <Suspense fallback={<EmptyChart />}>
          <CandleChart
            zoom={zoom}
            label={t('charts.chart', { game: game.name, count: revealed.length })}
            rounds={revealed}
            hidden={hidden}
            chosen={chosen}
            onPoint={setPointed}
            onChoose={setChosen}
            onNearStart={() => !older.olderFailed && older.onOlder()}
            atEnd={atEnd}
            onAtEnd={setAtEnd}
          />
        </Suspense>
        {(chosen !== null || !atEnd) && (
          <button
            type="button"
            className={styles.latest}
            onClick={() => {
              setChosen(null)
              setAtEnd(true)
            }}
          >
            <span>{t('charts.latest')}</span>
          </button>
        )}
      </div>
      <div role="status" aria-live="polite">
        {older.loadingOlder && <p className="caption">{t('charts.loadingOlder')}</p>}
      </div>
      {older.olderFailed && !older.loadingOlder && (
        <div className="spread-3 fault" role="alert">
          <p>{t('charts.olderFailed')}</p>
          <Button kind="plain" size="s" onClick={older.onOlder}>
            {t('action.retry')}
          </Button>
        </div>
      )}
      <ChartLegend hidden={hidden} onToggle={onToggle} />
      <div className="row">
        <p className="caption grow">{t('charts.how')}</p>
        <IconButton
          icon="minus"
          label={t('charts.zoomOut')}
          onPress={() => zoom.current?.(1 / ZOOM)}
        />
        <IconButton icon="plus" label={t('charts.zoomIn')} onPress={() => zoom.current?.(ZOOM)} />
      </div>
      <RoundTable gameId={game.id} rounds={revealed} />
      {/* The attribution and link that the library's licence requires; a name, not translated. */}
      <p className={styles.credit}>
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView Lightweight Charts™
        </a>{' '}
        © 2026 TradingView, Inc.
      </p>
    </Card>
  )
}

/** The rounds of chart and table, which say what a draw is: one that comes is theirs after its tiles have turned. */
function useRevealedRounds(rounds: readonly ChartRound[]): readonly ChartRound[] {
  const latest = rounds.at(-1)?.roundId
  const [revealed, setRevealed] = useState(latest)
  useEffect(() => {
    const turned = setTimeout(() => setRevealed(latest), prefersReducedMotion() ? 0 : REVEAL_MS)
    return () => clearTimeout(turned)
  }, [latest])
  return useMemo(
    () => (latest === revealed ? rounds : rounds.slice(0, -1)),
    [rounds, latest, revealed],
  )
}

/** The chosen round, for screen readers: its choice leaves the focus where it is. */
function SaidRound({ round: { roundId, digits } }: { round: ChartRound }) {
  const t = useText()
  const [first, second, third] = digits
  return `${t('round.number', { round: roundNumber(roundId) })}: ${t('draw.label', { first, second, third, sum: sumOfDigits(digits) })}`
}

type ChartLegendProps = {
  hidden: HiddenTypes
  onToggle: (type: NamedOutcome) => void
}

function ChartLegend({ hidden, onToggle }: ChartLegendProps) {
  const t = useText()
  const word = useOutcomeWord()
  return (
    <fieldset className={classNames('halves', styles.legend)}>
      <legend className="unseen">{t('charts.legend')}</legend>
      {[...CANDLE_TYPES, ...MARKER_TYPES].map((type) => (
        <button
          key={type}
          type="button"
          className={styles.chartType}
          aria-pressed={!hidden.has(type)}
          onClick={() => onToggle(type)}
        >
          <Sign type={type} />
          {word(type)}
          {hidden.has(type) && <Icon name="eyeOff" size={14} className="push" />}
        </button>
      ))}
    </fieldset>
  )
}

/** As in the chart: full candles are long, hollow ones short; dots odd, squares even. */
function Sign({ type }: { type: NamedOutcome }) {
  const size = type.startsWith('long') ? 'long' : 'short'
  return (
    <svg className={styles.typeSign} data-size={size} viewBox="0 0 12 16" aria-hidden="true">
      {type === size && <path d="M6 0v3M6 13v3" />}
      {type === size && (
        <rect x="2.75" y="3.75" width="6.5" height="8.5" data-full={type === 'long'} />
      )}
      {type.endsWith('odd') && <circle cx="6" cy="8" r="4" data-full="true" />}
      {type.endsWith('even') && <rect x="2.5" y="4.5" width="7" height="7" data-full="true" />}
    </svg>
  )
}

/** The placeholder of a chart's card, as high as the card, so that nothing below it moves. */
function ChartSkeleton() {
  return (
    <Card className="stack-3" aria-hidden="true">
      <Skeleton height={44} width="52%" />
      <Skeleton height={31} width="70%" />
      <Skeleton height={36} />
      <EmptyChart />
      <Skeleton height={132} />
      <Skeleton height={50} />
      <Skeleton height={98} width="70%" />
    </Card>
  )
}

/** The placeholder of the chart while its code is loading. */
function EmptyChart() {
  return (
    <div className={styles.emptyChart}>
      <Skeleton height={220} />
    </div>
  )
}
