import type { Game, Room } from '#src/data/games.ts'
import { keepTappedGame } from '#src/data/tapped-game.ts'
import { gameCode } from '#src/features/game-logo.tsx'
import { ErrorState } from '#src/features/loaded.tsx'
import { PageHeader } from '#src/features/page.tsx'
import { useRoomTitle } from '#src/features/room-title.ts'
import { RoundRing, useRoundClock } from '#src/features/round-clock.tsx'
import { useText } from '#src/i18n/text.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { buttonClass } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'
import { Fact } from '#src/screens/room/clock-card.tsx'
import { DrawCard } from '#src/screens/room/draw-card.tsx'
import { Feed, useFeedOf } from '#src/screens/room/feed.tsx'
import styles from '#src/screens/room/room.module.css'
import { LostNotice } from '#src/screens/room/room.tsx'
import { RoomContentSkeleton } from '#src/screens/room/room-skeleton.tsx'
import type { LiveRoom } from '#src/screens/room/use-room.ts'

type WatchedRoomProps = { game: Game; room: Room; live: LiveRoom }

/** A room as a stranger watches it: clock, draw and feed as they come, and the way to log in in place of the panel. */
export function WatchedRoom({ game, room: watched, live }: WatchedRoomProps) {
  const t = useText()
  const title = useRoomTitle()(watched)
  const { room, beatNow } = live
  const drawn = room.lastDraw?.roundId ?? ''
  const clock = useRoundClock(room.round, drawn)
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
            <dl className={styles.clockFacts}>
              <Fact label={t('room.round')}>
                <span className="num">{room.round.roundId || '–'}</span>
              </Fact>
              <Fact label={t('panel.minimum')}>
                <AmountText value={watched.stakeMin} />
              </Fact>
              <Fact label={t('hall.robots')}>
                <span className="num">
                  {watched.robots === 0 ? t('hall.noRobots') : watched.robots}
                </span>
              </Fact>
            </dl>
          </Card>
          <DrawCard gameId={game.id} draw={room.lastDraw} drawing={clock.drawing} />
          <Feed {...feed} running={room.round.roundId} />
        </main>
        <footer className={styles.footer}>
          <div className={styles.notices} role="status">
            {room.trouble && <LostNotice />}
          </div>
          <Link
            className={buttonClass({ kind: 'soft' })}
            to={href('register')}
            onClick={() => keepTappedGame(game)}
          >
            {t('home.register')}
          </Link>
          <Link
            className={buttonClass({ kind: 'primary', wide: true })}
            to={href('login')}
            onClick={() => keepTappedGame(game)}
          >
            {t('watch.logIn')}
          </Link>
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
