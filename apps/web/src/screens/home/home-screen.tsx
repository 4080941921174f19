import { Icon } from '@sum28/ui/icon.tsx'
import { Page } from '@sum28/ui/page.tsx'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#src/data/config.ts'
import { homeQuery } from '#src/data/home.ts'
import { useLiveGames } from '#src/data/live/use-live-games.ts'
import { useSession } from '#src/data/session-watch.ts'
import { ErrorState } from '#src/features/error-state.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { useText } from '#src/i18n/text.ts'
import { Banners } from '#src/screens/home/banners.tsx'
import { GameCard } from '#src/screens/home/game-card.tsx'
import { HomeBar } from '#src/screens/home/home-bar.tsx'
import styles from '#src/screens/home/home-screen.module.css'
import { HouseLinks } from '#src/screens/home/house-links.tsx'
import { MemberPart } from '#src/screens/home/member-part.tsx'
import { Winners } from '#src/screens/home/winners.tsx'

/** The first screen: banners, games with their clocks, and winners. Public. */
export function HomeScreen() {
  const t = useText()
  const session = useSession()
  const home = useQuery(homeQuery)
  const games = useLiveGames()
  const config = useQuery(configQuery)
  const openSeconds = config.data ? config.data.round_seconds - config.data.seal_seconds : null
  const version = home.data?.version_notice

  if (home.isLoadingError && games.isLoadingError) {
    const retry = () => {
      home.refetch()
      games.refetch()
    }
    return (
      <Page header={<HomeBar />}>
        <ErrorState error={games.error} onRetry={retry} />
      </Page>
    )
  }
  return (
    <Page header={<HomeBar />}>
      {session && <MemberPart lastKnown={session.money} />}
      {home.data?.banner.length ? (
        <Banners banners={home.data.banner} />
      ) : (
        home.isPending && <Skeleton height={136} />
      )}
      {home.isPending && <Skeleton height={20} width="48%" />}
      {version && (
        <p className={styles.version}>
          <Icon name="bell" size={16} />
          <span>
            {t('home.version', { version: version.label })}
            {version.content && ` · ${version.content}`}
          </span>
        </p>
      )}
      <Loaded query={games} skeleton={<GamesSkeleton />}>
        {(list) => (
          <section className={styles.games} aria-label={t('home.games')}>
            {list.map((game) => (
              <GameCard key={game.id} game={game} openSeconds={openSeconds} />
            ))}
          </section>
        )}
      </Loaded>
      <Loaded query={home} skeleton={<Skeleton height={284} />}>
        {({ winners }) => <Winners winners={winners} onReload={() => home.refetch()} />}
      </Loaded>
      <HouseLinks />
    </Page>
  )
}

function GamesSkeleton() {
  return (
    <div className={styles.games}>
      {[1, 2, 3, 4].map((game) => (
        <div key={game} className={styles.waiting}>
          <Skeleton height={149} />
        </div>
      ))}
    </div>
  )
}
