import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { gameCode } from '@sum28/ui/game-code.ts'
import { OneDayChip } from '@sum28/ui/one-day-chip.tsx'
import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import { useSearchParams } from '#src/app/navigation.tsx'
import { useGameZone } from '#src/data/game-zone.ts'
import { useLiveGames } from '#src/data/live/use-live-games.ts'
import { requestedDay, requestedGame } from '#src/data/requested-game.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { PastRounds } from '#src/screens/past-rounds/past-rounds.tsx'

/** A game's past rounds, of all days or of one. */
export function PastRoundsScreen() {
  const t = useText()
  const { today } = useGameZone()
  const games = useLiveGames()
  const [search, setSearch] = useSearchParams()
  const gameId = search.get('game_id')
  // The game's name in the address is not shown, because users can change an address.
  const game = requestedGame(games.data ?? [], gameId)
  const day = requestedDay(search.get('date'), today)

  function show(date: string | null) {
    const rest = Object.fromEntries([...search].filter(([key]) => key !== 'date'))
    setSearch({ ...rest, ...(date && { date }) }, { replace: true })
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
