import { useStore } from '@sum28/ui/store.ts'
import { Toasts } from '@sum28/ui/toasts.tsx'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { announced } from '#src/app/arrival.ts'
import { CrashBoundary } from '#src/app/crash-boundary.tsx'
import { Guard } from '#src/app/guard.tsx'
import { keepOffline } from '#src/app/keep-offline.ts'
import { removeLoaderWhenLeft } from '#src/app/loader.ts'
import { usePlace } from '#src/app/navigation.tsx'
import { NotFoundScreen } from '#src/app/not-found-screen.tsx'
import { PageFallback } from '#src/app/page-fallback.tsx'
import { ROUTES, type RouteName, routeEntry, routeOf } from '#src/app/routes.ts'
import { screenOf } from '#src/app/screens.ts'
import { useScrollMemory } from '#src/app/scroll-memory.ts'
import styles from '#src/app/shell.module.css'
import { TabBar } from '#src/app/tab-bar.tsx'
import { UpdateBar } from '#src/app/update-bar.tsx'
import { useFollowedSystemLanguage } from '#src/app/use-followed-system-language.ts'
import { configQuery } from '#src/data/config.ts'
import { useNewDay } from '#src/data/game-zone.ts'
import { OfflineBar } from '#src/features/offline-bar.tsx'

/** The column with the screen of the address, the tab bar where the screen has it, and toasts. */
export function Shell() {
  const { pathname } = usePlace()
  const name = routeOf(pathname)
  const tab = name ? routeEntry(name).tab : undefined
  useScrollMemory()
  useQuery(configQuery)
  useEffect(() => {
    removeLoaderWhenLeft()
    keepOffline()
  }, [])
  useFollowedSystemLanguage()
  useNewDay()

  return (
    <div className={styles.column} data-tabs={tab !== undefined}>
      <OfflineBar />
      <CrashBoundary resetKey={pathname}>
        <Suspense fallback={<PageFallback />}>
          {name ? <Screen key={name} name={name} /> : <NotFoundScreen />}
        </Suspense>
      </CrashBoundary>
      <UpdateBar shown={tab !== undefined} />
      {tab && <TabBar current={tab} />}
      <Toasts />
      <div className="unseen" aria-live="polite">
        {useStore(announced)}
      </div>
    </div>
  )
}

function Screen({ name }: { name: RouteName }) {
  const Content = screenOf(name)
  return (
    <Guard access={ROUTES[name].access}>
      <Content />
    </Guard>
  )
}
