import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { useNavigate } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { useRouteQuery } from '#src/app/use-route-query.ts'
import { GameTabs } from '#src/features/game-tabs.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { BalanceChip } from '#src/screens/hall/balance-chip.tsx'
import { GameCard } from '#src/screens/hall/game-card.tsx'
import { RoomCards } from '#src/screens/hall/room-cards.tsx'

/** The trading hall: the games and their rooms. */
export function HallScreen() {
  const t = useText()
  const navigate = useNavigate()
  // In the address, so that the same game is shown after going back.
  const { game: requestedId } = useRouteQuery('hall')
  return (
    <Screen title={t('hall.title')} action={<BalanceChip />}>
      <GameTabs
        open={requestedId ?? null}
        onOpen={(id) => navigate(href('hall', { game: id }), { replace: true })}
        skeleton={<HallSkeleton />}
      >
        {(game) => (
          <>
            <GameCard game={game} />
            <RoomCards game={game} />
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
      <Skeleton height={140} />
      <Skeleton height={20} width="30%" />
      <Skeleton height={324} width="84%" />
    </>
  )
}
