import { useQuery } from '@tanstack/react-query'
import { type Game, gamesQuery, type Room as RoomOfGame } from '#src/data/games.ts'
import { useSignedIn } from '#src/data/session-watch.ts'
import { EmptyState, ErrorState, useShownInSteps } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { Link, useRouteQuery } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { buttonClass } from '#src/parts/button.tsx'
import { Room } from '#src/screens/room/room.tsx'
import { RoomSkeleton } from '#src/screens/room/room-skeleton.tsx'
import { useRoom } from '#src/screens/room/use-room.ts'
import { WatchedRoom } from '#src/screens/room/watched-room.tsx'

/**
 * The room of the address, which a stranger can only watch. Only its ids are used; names come from the server, so that a link cannot
 * contain its own text.
 */
export function RoomScreen() {
  const t = useText()
  const [{ id, game_id, requiredMoney }] = useRouteQuery('room')
  const signedIn = useSignedIn()
  const games = useQuery(gamesQuery)
  const game = games.data?.find((each) => String(each.id) === game_id)
  const room = game?.rooms.find((each) => String(each.id) === id)

  if (id && game_id && (games.isPending || (game && room))) {
    return (
      <OpenRoom
        key={`${game_id} ${id} ${signedIn}`}
        ids={{ gameId: Number(game_id), roomId: Number(id) }}
        {...{ game, room, requiredMoney }}
      />
    )
  }
  if (games.isPending) return <RoomSkeleton />
  return (
    <Screen title={t('hall.title')} back>
      {games.data ? (
        <EmptyState icon="search" title={t('room.unknown')} hint={t('room.unknownHint')}>
          <Link className={buttonClass({ kind: 'soft' })} to={href(signedIn ? 'hall' : 'home')}>
            {t(signedIn ? 'room.toHall' : 'action.home')}
          </Link>
        </EmptyState>
      ) : (
        <ErrorState error={games.error} onRetry={() => games.refetch()} />
      )}
    </Screen>
  )
}

type OpenRoomProps = {
  ids: { gameId: number; roomId: number }
  /** Undefined until the games have come, as is `room`. */
  game: Game | undefined
  room: RoomOfGame | undefined
  requiredMoney: string | undefined
}

/** A room whose stream is opened before it is known what the room is called. */
function OpenRoom({ ids, game, room, requiredMoney }: OpenRoomProps) {
  const signedIn = useSignedIn()
  const live = useRoom(ids)
  const isShown = useShownInSteps(game !== undefined && room !== undefined)
  if (!isShown || !game || !room) return <RoomSkeleton />
  if (!signedIn) return <WatchedRoom {...{ game, room, live }} />
  return <Room {...{ game, room, requiredMoney, live }} />
}
