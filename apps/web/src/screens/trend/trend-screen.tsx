import { roundNumber } from '@sum28/domain/issues.ts'
import type { Day } from '@sum28/domain/schedule.ts'
import { TREND_COLUMNS, type Trend, type TrendRow, type TrendTally } from '@sum28/domain/trends.ts'
import { memo, type ReactNode } from 'react'
import { useGameZone } from '#src/data/game-day.ts'
import type { Game } from '#src/data/games.ts'
import { useLiveGames } from '#src/data/live/use-channel.ts'
import { currentGameDay, requestedDay, requestedGame } from '#src/data/requested-game.ts'
import { DAY_ROUNDS_MAX, rowBlocks, useDayTrend } from '#src/data/rounds/use-rounds.ts'
import { OneDayChip } from '#src/features/day-chip.tsx'
import { GameTabs } from '#src/features/game-tabs.tsx'
import { useEmptyListToast } from '#src/features/history-list.tsx'
import { Loaded, mayHaveGrown } from '#src/features/loaded.tsx'
import { NotWitnessed } from '#src/features/local-beacon-note.tsx'
import { lookOf, useOutcomeWord } from '#src/features/outcome-tag.tsx'
import { Screen } from '#src/features/screen.tsx'
import { dayText } from '#src/i18n/days.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { Skeleton, Skeletons } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/trend/trend.module.css'

/** A game day's rounds as a table of hits and misses; today's grows live. */
export function TrendScreen() {
  const t = useText()
  const { today } = useGameZone()
  const games = useLiveGames()
  const [query, setQuery] = useRouteQuery('trend')
  const game = requestedGame(games.data ?? [], query.game_id) ?? games.data?.[0]
  const requested = requestedDay(query.date, today)
  const day = requested ?? (game ? currentGameDay(game, today) : today)

  /** A chosen day stays when the game changes. */
  function show(next: { gameId?: string; date?: string }) {
    const id = next.gameId ?? String(game?.id)
    const name = games.data?.find((each) => String(each.id) === id)?.name ?? ''
    const date = next.date ?? requested
    setQuery({ game_id: id, name, ...(date && { date }) })
  }

  return (
    <Screen
      title={t('menu.trend')}
      back
      action={
        <OneDayChip day={day} today={today} withAll={false} onChange={(date) => show({ date })} />
      }
    >
      <GameTabs
        open={String(game?.id)}
        onOpen={(gameId) => show({ gameId })}
        skeleton={<Skeletons heights={[50, 420]} />}
      >
        {(each) => <TrendDay key={`${each.id} ${day}`} game={each} day={day} />}
      </GameTabs>
    </Screen>
  )
}

type TrendDayProps = { game: Game; day: Day }

function TrendDay({ game, day }: TrendDayProps) {
  const t = useText()
  const { tag } = useLocale()
  const { today } = useGameZone()
  const trend = useDayTrend({ gameId: game.id, day })
  const none = trend.data?.rows.length === 0
  useEmptyListToast(none && !mayHaveGrown(trend), `${game.id} ${day}`)
  return (
    <Loaded
      query={trend}
      skeleton={<Skeleton height={420} />}
      empty={() => none && { icon: 'calendar', title: t('trend.none'), hint: t('trend.noneHint') }}
    >
      {(data) => (
        <>
          <TrendTable
            trend={data}
            caption={t('trend.caption', { game: game.name, day: dayText(day, { tag, today }) })}
          />
          <p className="caption inset">
            {t('trend.explain')}
            {data.rows.length === DAY_ROUNDS_MAX &&
              ` ${t('day.newest', { count: DAY_ROUNDS_MAX })}`}
          </p>
          {data.rows.some(({ witnessed }) => witnessed === false) && (
            <p className="row-2 inset">
              <UnseenMark />
              <NotWitnessed />
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}

/** Rows in a block, which the browser lays out only while it is visible. */
const BLOCK = 40

/* The rows are grids, so that blocks of them can be skipped in the layout. Grids are no table rows
   for a browser, so each part names its role. */

/** The trend table, newest round first: hits filled, misses counted, tallies at the bottom. */
function TrendTable({ trend, caption }: { trend: Trend; caption: string }) {
  const t = useText()
  const word = useOutcomeWord()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: users without a pointer must be able to scroll it
    <section className={styles.box} aria-label={caption} tabIndex={0}>
      {/* biome-ignore-start lint/a11y: see above */}
      <table role="table" className={styles.table} aria-label={caption}>
        <thead role="rowgroup" className={styles.head}>
          <tr role="row" className={styles.row}>
            <th role="columnheader" scope="col" className={styles.round}>
              {t('room.round')}
            </th>
            <th role="columnheader" scope="col">
              {t('trend.sum')}
            </th>
            {TREND_COLUMNS.map((column) => (
              <th role="columnheader" scope="col" key={column}>
                {/* In a narrow column a space breaks better than a hyphen. */}
                <span>{word(column).replace('-', ' ')}</span>
              </th>
            ))}
          </tr>
        </thead>
        {rowBlocks(trend.rows, BLOCK).map((rows) => (
          <Block key={rows.at(-1)?.roundId} rows={rows} />
        ))}
        <tfoot role="rowgroup" className={styles.foot}>
          <Tally trend={trend} of={({ hits }) => hits}>
            {t('trend.hits', { count: trend.drawn })}
          </Tally>
          <Tally trend={trend} of={({ longestRun }) => longestRun}>
            {t('trend.longestRun')}
          </Tally>
          <Tally trend={trend} of={({ longestAbsence }) => longestAbsence}>
            {t('trend.longestAbsence')}
          </Tally>
          <Tally trend={trend} of={({ absence }) => absence}>
            {t('trend.absence')}
          </Tally>
        </tfoot>
      </table>
      {/* biome-ignore-end lint/a11y: see above */}
    </section>
  )
}

type TallyProps = { trend: Trend; of: (tally: TrendTally) => number; children: ReactNode }

function Tally({ trend, of, children }: TallyProps) {
  return (
    // biome-ignore-start lint/a11y: see above
    <tr role="row" className={styles.row}>
      <th role="rowheader" scope="row" className={styles.tally}>
        {children}
      </th>
      {trend.foot.map((tally, at) => (
        <td role="cell" key={TREND_COLUMNS[at]}>
          {of(tally)}
        </td>
      ))}
    </tr>
    // biome-ignore-end lint/a11y: see above
  )
}

const Block = memo(
  function Block({ rows }: { rows: readonly TrendRow[] }) {
    return (
      // biome-ignore lint/a11y: see above
      <tbody role="rowgroup" className={styles.block} style={{ '--rows': rows.length } as object}>
        {rows.map((row) => (
          <Row key={row.roundId} row={row} />
        ))}
      </tbody>
    )
  },
  // The table is computed again for each round; unchanged blocks do not rerender.
  ({ rows: before }, { rows }) =>
    before.length === rows.length && rows.every((row, at) => same(row, before[at])),
)

function same(row: TrendRow, other: TrendRow | undefined): boolean {
  return (
    row.roundId === other?.roundId &&
    row.sum === other.sum &&
    row.witnessed === other.witnessed &&
    String(row.cells) === String(other.cells)
  )
}

function Row({ row }: { row: TrendRow }) {
  const t = useText()
  return (
    // biome-ignore-start lint/a11y: see above
    <tr role="row" className={styles.row} data-voided={row.cells === null}>
      <th role="rowheader" scope="row" className={styles.round}>
        {roundNumber(row.roundId)}
        {row.witnessed === false && (
          <>
            <UnseenMark />
            <span className="unseen"> {t('round.notWitnessed')}</span>
          </>
        )}
      </th>
      {row.cells === null ? (
        <td role="cell" className={styles.voided} colSpan={TREND_COLUMNS.length + 1}>
          {t('draw.voided')}
        </td>
      ) : (
        <>
          <td role="cell" className="small bold">
            {row.sum}
          </td>
          {row.cells.map((away, at) => (
            <Cell key={TREND_COLUMNS[at]} column={TREND_COLUMNS[at] ?? ''} away={away} />
          ))}
        </>
      )}
    </tr>
    // biome-ignore-end lint/a11y: see above
  )
}

/** Marks the number of a round that no witness saw: there is no space for words. */
function UnseenMark() {
  return <Icon name="warn" size={12} className="ink-warn" />
}

function Cell({ column, away }: { column: string; away: number }) {
  const t = useText()
  if (away > 0) {
    return (
      // biome-ignore lint/a11y: see above
      <td role="cell" className={styles.miss}>
        {away}
      </td>
    )
  }
  return (
    // biome-ignore lint/a11y: see above
    <td role="cell" className={styles.hit} data-look={lookOf(column)}>
      <span className="unseen">{t('trend.hit')}</span>
    </td>
  )
}
