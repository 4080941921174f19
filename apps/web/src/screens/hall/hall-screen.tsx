import type { Game } from '#src/data/games.ts'
import { PauseNote } from '#src/features/break-note.tsx'
import { GameTabs } from '#src/features/game-tabs.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useSnapStrip } from '#src/features/use-snap-strip.ts'
import { useText } from '#src/i18n/text.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'
import { CardHeading } from '#src/parts/card.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import { BalanceChip, GameCard, NoRooms, RoomCard, useEnterRoom } from '#src/screens/hall/cards.tsx'
import styles from '#src/screens/hall/hall.module.css'

export function HallScreen() {
  const t = useText()
  // In the address, so that the same game is shown after going back.
  const [{ game, game_id }, setQuery] = useRouteQuery('hall')
  return (
    <Screen title={t('hall.title')} action={<BalanceChip />}>
      <GameTabs
        open={game ?? game_id}
        onOpen={(id) => setQuery({ game: id })}
        skeleton={<HallSkeleton />}
      >
        {(game) => (
          <>
            <PauseNote pauses={game.pauses} />
            <div className="beside">
              <GameCard key={game.id} game={game} />
              <RoomCards game={game} />
            </div>
          </>
        )}
      </GameTabs>
    </Screen>
  )
}

function HallSkeleton() {
  return (
    <>
      <Skeleton height={50} />
      <div className="beside">
        <Skeleton height={140} />
        <div className="stack-2">
          <Skeleton height={20} width="30%" />
          <Skeleton height={324} width="min(84%, 300px)" />
        </div>
      </div>
    </>
  )
}

function RoomCards({ game }: { game: Game }) {
  const t = useText()
  const { enter, entering } = useEnterRoom(game)
  const { strip, current, show } = useSnapStrip(game.rooms.length)

  if (game.rooms.length === 0) return <NoRooms />
  return (
    <section className="stack-2 shrink" aria-label={t('hall.rooms')}>
      <CardHeading>{t('hall.rooms')}</CardHeading>
      <ul ref={strip} className={styles.cards}>
        {game.rooms.map((room) => (
          <li key={room.id} className={styles.slot}>
            <RoomCard
              room={room}
              busy={entering === room.id}
              onEnter={() => entering === null && enter(room)}
            />
          </li>
        ))}
      </ul>
      {game.rooms.length > 1 && (
        <div className={styles.dots}>
          {game.rooms.map((room, at) => (
            <button
              key={room.id}
              type="button"
              className={styles.dot}
              aria-label={t('hall.roomOf', { number: at + 1, count: game.rooms.length })}
              aria-current={at === current || undefined}
              onClick={() => show(at)}
            />
          ))}
        </div>
      )}
    </section>
  )
}
