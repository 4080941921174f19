import type { Game } from '#src/data/games.ts'
import { useLiveGames } from '#src/data/live/use-channel.ts'
import { requestedGame } from '#src/data/requested-game.ts'
import { gameCode } from '#src/features/game-logo.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'
import { Skeletons } from '#src/parts/skeleton.tsx'
import { BalanceChip, GameCard, NoRooms, RoomCard, useEnterRoom } from '#src/screens/hall/cards.tsx'
import styles from '#src/screens/hall/hall.module.css'

/** The rooms of the game in the address, or of the first game. */
export function RoomsScreen() {
  const t = useText()
  const [{ game_id }] = useRouteQuery('rooms')
  const games = useLiveGames()
  const game = games.data && (requestedGame(games.data, game_id) ?? games.data[0])
  const title = game ? t('hall.roomsOf', { game: game.name }) : t('hall.rooms')
  return (
    <Screen title={title} back action={<BalanceChip />}>
      <Loaded
        query={games}
        skeleton={<Skeletons heights={[140]} rows={4} />}
        empty={() => !game && {}}
      >
        {() =>
          game && (
            <div className="beside" data-game={gameCode(game.id)}>
              <GameCard key={game.id} game={game} />
              <RoomList game={game} />
            </div>
          )
        }
      </Loaded>
    </Screen>
  )
}

/** A game's rooms, one below the other. */
function RoomList({ game }: { game: Game }) {
  const t = useText()
  const { enter, entering } = useEnterRoom(game)
  if (game.rooms.length === 0) return <NoRooms />
  return (
    <ul className={styles.rooms} aria-label={t('hall.rooms')}>
      {game.rooms.map((room) => (
        <li key={room.id}>
          <RoomCard
            room={room}
            kind="row"
            busy={entering === room.id}
            onEnter={() => entering === null && enter(room)}
          />
        </li>
      ))}
    </ul>
  )
}
