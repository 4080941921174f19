import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { GAMES_POLL_MS, type Game, gamesQuery } from '#src/data/games.ts'
import { profileQuery } from '#src/data/profile.ts'
import { useText } from '#src/i18n/text.ts'
import { GameCard } from '#src/screens/lottery/game-card.tsx'
import styles from '#src/screens/lottery/lottery.module.css'
import { RoomCards } from '#src/screens/lottery/room-cards.tsx'
import { AmountText } from '#src/ui/amount.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { gameCode } from '#src/ui/game-code.ts'
import { Loaded } from '#src/ui/loaded.tsx'
import { Page } from '#src/ui/page.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Tabs } from '#src/ui/tabs.tsx'

/** The trading hall: the games, and each one's rooms. */
export function LotteryScreen() {
  const t = useText()
  const games = useQuery({ ...gamesQuery, refetchInterval: GAMES_POLL_MS })
  const profile = useQuery(profileQuery)
  const balance = profile.data && (
    <p className={styles.balance}>
      <span>{t('hall.balance')}</span>
      <AmountText value={profile.data.money} className={styles.money} />
    </p>
  )
  return (
    <Page header={<PageHeader title={t('hall.title')} action={balance} />}>
      <Loaded
        query={games}
        skeleton={<HallSkeleton />}
        empty={(list) =>
          list.length === 0 ? <EmptyState onReload={() => games.refetch()} /> : null
        }
      >
        {(list) => <GameTabs games={list} />}
      </Loaded>
    </Page>
  )
}

function GameTabs({ games }: { games: readonly Game[] }) {
  const t = useText()
  // In the address, so that coming back from a room finds the same game.
  const [search, setSearch] = useSearchParams()
  const asked = search.get('game_id')
  const current = games.find(({ id }) => String(id) === asked) ?? games[0]
  return (
    <Tabs
      label={t('hall.games')}
      value={String(current?.id)}
      onChange={(id) => setSearch({ game_id: id }, { replace: true })}
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
