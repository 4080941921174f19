import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { gameCode } from '@sum28/ui/game-code.ts'
import { Page } from '@sum28/ui/page.tsx'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { Tabs } from '@sum28/ui/tabs.tsx'
import { useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'
import { useRouteQuery } from '#src/app/use-route-query.ts'
import { gameAsked } from '#src/data/asked-game.ts'
import type { Game } from '#src/data/games.ts'
import { useLiveGames } from '#src/data/live/use-live-games.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { PageHeader } from '#src/features/page-header.tsx'
import { useText } from '#src/i18n/text.ts'
import { BalanceChip } from '#src/screens/hall/balance-chip.tsx'
import { GameCard } from '#src/screens/hall/game-card.tsx'
import { RoomCards } from '#src/screens/hall/room-cards.tsx'

/** The trading hall: the games and their rooms. */
export function HallScreen() {
  const t = useText()
  const games = useLiveGames()
  return (
    <Page header={<PageHeader title={t('hall.title')} action={<BalanceChip />} />}>
      <Loaded
        query={games}
        skeleton={<HallSkeleton />}
        empty={(list) => list.length === 0 && <EmptyState onReload={() => games.refetch()} />}
      >
        {(list) => <GameTabs games={list} />}
      </Loaded>
    </Page>
  )
}

function GameTabs({ games }: { games: readonly Game[] }) {
  const t = useText()
  const navigate = useNavigate()
  // In the address, so that the same game is shown after going back.
  const { game: asked } = useRouteQuery('hall')
  const current = gameAsked(games, asked ?? null) ?? games[0]
  return (
    <Tabs
      label={t('hall.games')}
      value={String(current?.id)}
      onChange={(id) => navigate(href('hall', { game: id }), { replace: true })}
      tabs={games.map((game) => ({
        value: String(game.id),
        label: game.name,
        game: gameCode(game.id) ?? '',
        content: (
          <>
            <GameCard game={game} />
            <RoomCards game={game} />
          </>
        ),
      }))}
    />
  )
}

function HallSkeleton() {
  return (
    <>
      <Skeleton height={50} />
      <Skeleton height={140} />
      <Skeleton height={20} width="30%" />
      <Skeleton height={324} width="84%" />
    </>
  )
}
