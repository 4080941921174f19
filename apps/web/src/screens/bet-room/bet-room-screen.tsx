import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { href } from '#src/app/routes.ts'
import { useRouteQuery } from '#src/app/use-route-query.ts'
import { gamesQuery } from '#src/data/games.ts'
import { useText } from '#src/i18n/text.ts'
import { BetRoom } from '#src/screens/bet-room/bet-room.tsx'
import { RoomSkeleton } from '#src/screens/bet-room/room-skeleton.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { ErrorState } from '#src/ui/error-state.tsx'
import { Page } from '#src/ui/page.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'

/**
 * The room of the address. Only the ids in it are taken: names come from the server, so that a link
 * cannot show words of its own.
 */
export function BetRoomScreen() {
  const t = useText()
  const { id, game_id, requiredMoney } = useRouteQuery('betRoom')
  const games = useQuery(gamesQuery)
  const game = games.data?.find((each) => String(each.id) === game_id)
  const room = game?.rooms.find((each) => String(each.id) === id)

  if (game && room) return <BetRoom key={room.id} {...{ game, room, requiredMoney }} />
  if (games.isPending) return <RoomSkeleton />
  return (
    <Page header={<PageHeader title={t('hall.title')} back />}>
      {games.data ? (
        <EmptyState icon="search" title={t('room.unknown')} hint={t('room.unknownHint')}>
          <Link className={buttonClass({ kind: 'soft' })} to={href('lottery')}>
            {t('room.toHall')}
          </Link>
        </EmptyState>
      ) : (
        <ErrorState error={games.error} onRetry={() => games.refetch()} />
      )}
    </Page>
  )
}
