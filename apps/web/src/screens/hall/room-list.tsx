import type { Game } from '#src/data/games.ts'
import { useText } from '#src/i18n/text.ts'
import { NoRooms } from '#src/screens/hall/no-rooms.tsx'
import { RoomCard } from '#src/screens/hall/room-card.tsx'
import { useEnterRoom } from '#src/screens/hall/use-enter-room.ts'

/** A game's rooms, one below the other. */
export function RoomList({ game }: { game: Game }) {
  const t = useText()
  const { enter, entering } = useEnterRoom(game)
  if (game.rooms.length === 0) return <NoRooms />
  return (
    <ul className="grid-3" aria-label={t('hall.rooms')}>
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
