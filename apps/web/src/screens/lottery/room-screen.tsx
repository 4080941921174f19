import { useRouteQuery } from '#src/app/use-route-query.ts'
import { gameAsked } from '#src/data/asked-game.ts'
import { useLiveGames } from '#src/data/live-games.ts'
import { useText } from '#src/i18n/text.ts'
import { BalanceChip } from '#src/screens/lottery/balance-chip.tsx'
import { GameCard } from '#src/screens/lottery/game-card.tsx'
import styles from '#src/screens/lottery/lottery.module.css'
import { RoomList } from '#src/screens/lottery/room-list.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { gameCode } from '#src/ui/game-code.ts'
import { Loaded } from '#src/ui/loaded.tsx'
import { Page } from '#src/ui/page.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton, SkeletonRows } from '#src/ui/skeleton.tsx'

/** The rooms of one game, one below the other: of the game in the address, else of the first. */
export function RoomScreen() {
  const t = useText()
  const { game_id } = useRouteQuery('room')
  const games = useLiveGames()
  const game = games.data && (gameAsked(games.data, game_id ?? null) ?? games.data[0])
  const title = game ? t('hall.roomsOf', { game: game.name }) : t('hall.rooms')
  return (
    <Page header={<PageHeader title={title} back action={<BalanceChip />} />}>
      <Loaded
        query={games}
        skeleton={
          <>
            <Skeleton height={140} />
            <SkeletonRows count={4} />
          </>
        }
        empty={() => (game ? null : <EmptyState onReload={() => games.refetch()} />)}
      >
        {() =>
          game && (
            <div className={styles.ofGame} data-game={gameCode(game.id)}>
              <GameCard game={game} />
              <RoomList game={game} />
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}
