import { gameDayOfIssue, roundNumber } from '@sum28/domain/issues.ts'
import type { Day } from '@sum28/domain/schedule.ts'
import { useGameZone } from '#src/data/game-day.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import type { Game } from '#src/data/games.ts'
import { useLiveGames } from '#src/data/live/use-channel.ts'
import { requestedDay, requestedGame } from '#src/data/requested-game.ts'
import type { PastRound } from '#src/data/rounds/past-round.ts'
import { usePastRounds } from '#src/data/rounds/use-rounds.ts'
import { OneDayChip } from '#src/features/day-chip.tsx'
import { DrawShield } from '#src/features/draw-shield.tsx'
import { DrawTiles } from '#src/features/draw-tiles.tsx'
import { gameCode } from '#src/features/game-logo.tsx'
import { DaySection, EndlessList, useEmptyListToast } from '#src/features/history-list.tsx'
import { EmptyState, Loaded, mayHaveGrown } from '#src/features/loaded.tsx'
import { NotWitnessed } from '#src/features/local-beacon-note.tsx'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { Screen } from '#src/features/screen.tsx'
import { byDay, dayText } from '#src/i18n/days.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { clockTimeText } from '#src/i18n/time-text.ts'
import { Link, useRouteQuery } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Arrow } from '#src/parts/icon.tsx'
import { SkeletonRows } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/past-rounds/past-rounds.module.css'

export function PastRoundsScreen() {
  const t = useText()
  const { today } = useGameZone()
  const games = useLiveGames()
  const [{ game_id = '', name = '', date }, setQuery] = useRouteQuery('pastRounds')
  // The game's name in the address is not shown, because users can change an address.
  const game = requestedGame(games.data ?? [], game_id)
  const day = requestedDay(date, today)

  function show(chosen: string | null) {
    setQuery({ game_id, name, ...(chosen && { date: chosen }) })
  }

  return (
    <Screen
      game={game && gameCode(game.id)}
      title={t('menu.pastRounds')}
      note={game?.name}
      back
      action={<OneDayChip day={day} today={today} withAll onChange={show} />}
    >
      <Loaded query={games} skeleton={<SkeletonRows count={8} />}>
        {() =>
          game ? (
            <PastRounds key={`${game.id} ${day}`} game={game} day={day} />
          ) : (
            <EmptyState icon="search" title={t('game.unknown')} hint={t('room.unknownHint')} />
          )
        }
      </Loaded>
    </Screen>
  )
}

function PastRounds({ game, day }: { game: Game; day: Day | null }) {
  const t = useText()
  const { tag } = useLocale()
  const { today } = useGameZone()
  const rounds = usePastRounds({ gameId: game.id, day })
  const none = rounds.data?.length === 0
  useEmptyListToast(none && !mayHaveGrown(rounds), `${game.id} ${day}`)
  return (
    <Loaded
      query={rounds}
      skeleton={<SkeletonRows count={8} />}
      empty={() =>
        none && {
          icon: day ? 'calendar' : 'empty',
          title: day ? t('trend.none') : t('charts.none'),
          hint: day ? t('trend.noneHint') : t('charts.noneHint'),
        }
      }
    >
      {(list) => (
        <EndlessList query={rounds} end={t('list.end', { count: list.length })}>
          {byDay(list, ({ roundId }) => gameDayOfIssue(roundId)).map(({ day: gameDay, items }) => (
            <DaySection key={gameDay} heading={dayText(gameDay, { tag, today })}>
              {items.map((round) => (
                <li key={round.roundId} className={styles.item}>
                  <RoundRow gameId={game.id} round={round} />
                </li>
              ))}
            </DaySection>
          ))}
        </EndlessList>
      )}
    </Loaded>
  )
}

function RoundRow({ gameId, round }: { gameId: number; round: PastRound }) {
  const t = useText()
  const when = useTimeFormat()
  const { roundId, digits, labels, drawnAt, witnessed } = round
  return (
    <Link className={styles.row} to={href('fairness', { game_id: String(gameId), issue: roundId })}>
      <span className="lines caption shrink">
        <span className="small strong ink num">
          {t('round.number', { round: roundNumber(roundId) })}
        </span>
        <time className="num" dateTime={new Date(drawnAt).toISOString()}>
          {clockTimeText(drawnAt, when)}
        </time>
        {witnessed === false && <NotWitnessed />}
      </span>
      {digits ? (
        <span className="stack-2 to-end">
          <DrawTiles digits={digits} size="s" />
          <span className="row-2">
            <OutcomeTags outcomes={labels} />
            <DrawShield kind="mark" gameId={gameId} roundId={roundId} digits={digits} />
          </span>
        </span>
      ) : (
        <span className="warning tag strong center">{t('draw.voided')}</span>
      )}
      <Arrow />
    </Link>
  )
}
