import { useQuery } from '@tanstack/react-query'
import { type Game, gamesQuery, type Room as RoomOfGame } from '#src/data/games.ts'
import { keepTappedGame } from '#src/data/newcomer.ts'
import { useSignedIn } from '#src/data/session-watch.ts'
import { gameCode } from '#src/features/game-logo.tsx'
import { EmptyState, ErrorState, useShownInSteps } from '#src/features/loaded.tsx'
import { PageHeader } from '#src/features/page.tsx'
import { useRoomTitle } from '#src/features/room-title.ts'
import { RoundRing, useRoundClock } from '#src/features/round-clock.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { LinkButton } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'
import { LabelAmount, LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { DrawCard } from '#src/screens/room/draw-card.tsx'
import { Feed, useFeedOf } from '#src/screens/room/feed.tsx'
import styles from '#src/screens/room/room.module.css'
import { LostNotice, Room, RoomContentSkeleton, RoomSkeleton } from '#src/screens/room/room.tsx'
import { type LiveRoom, useRoom } from '#src/screens/room/use-room.ts'
import { WatchedNews } from '#src/screens/room/your-bets.tsx'

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
          <LinkButton kind="soft" to={href(signedIn ? 'hall' : 'home')}>
            {t(signedIn ? 'hall.title' : 'action.home')}
          </LinkButton>
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

type WatchedRoomProps = { game: Game; room: RoomOfGame; live: LiveRoom }

/** A room as a stranger watches it: clock, draw and feed as they come, and the way to log in in place of the panel. */
function WatchedRoom({ game, room: watched, live }: WatchedRoomProps) {
  const t = useText()
  const title = useRoomTitle()(watched)
  const { room, beatNow } = live
  const drawn = room.lastDraw?.roundId ?? ''
  const clock = useRoundClock(room.round, drawn, room.lastDraw?.voided ?? false)
  const feed = useFeedOf(live)

  function content() {
    if (!room.round) {
      const { error } = room.trouble ?? {}
      return error ? <ErrorState error={error} onRetry={beatNow} /> : <RoomContentSkeleton />
    }
    return (
      <>
        <main className={styles.main}>
          <Card className={styles.clock}>
            <RoundRing clock={clock} />
            <div className={styles.clockFacts}>
              <LabelValues>
                <LabelValue label={t('room.round')}>{room.round.roundId || '–'}</LabelValue>
                <LabelAmount label={t('panel.minimum')} value={watched.stakeMin} />
                <LabelValue label={t('hall.robots')}>
                  {watched.robots === 0 ? t('hall.noRobots') : watched.robots}
                </LabelValue>
              </LabelValues>
            </div>
          </Card>
          <DrawCard
            gameId={game.id}
            draw={room.lastDraw}
            isNew={room.drawnAt !== null}
            drawing={clock.drawing}
          />
          <WatchedNews lastDraw={room.lastDraw} sealed={clock.to === 'draw'} />
          <Feed {...feed} running={room.round.roundId} />
        </main>
        <footer className={styles.footer}>
          <div className={styles.notices} role="status" aria-live="polite">
            {room.trouble && <LostNotice error={room.trouble.error} />}
          </div>
          <LinkButton kind="soft" to={href('register')} onClick={() => keepTappedGame(game)}>
            {t('home.register')}
          </LinkButton>
          <LinkButton wide to={href('login')} onClick={() => keepTappedGame(game)}>
            {t('watch.logIn')}
          </LinkButton>
        </footer>
      </>
    )
  }

  return (
    <div
      className={styles.room}
      data-game={gameCode(game.id)}
      aria-busy={!room.round && !room.trouble?.error}
    >
      <PageHeader title={`${game.name} · ${title}`} note={t('watch.note')} back />
      {content()}
    </div>
  )
}
