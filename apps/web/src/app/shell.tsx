import { buttonClass } from '@sum28/ui/button.tsx'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { Page } from '@sum28/ui/page.tsx'
import { useStore } from '@sum28/ui/store.ts'
import { Toasts } from '@sum28/ui/toasts.tsx'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { CrashBoundary } from '#src/app/crash-boundary.tsx'
import { Guard, PageFallback } from '#src/app/guard.tsx'
import { keepOffline } from '#src/app/keep-offline.ts'
import { OfflineBar } from '#src/app/offline-bar.tsx'
import styles from '#src/app/shell.module.css'
import { TabBar } from '#src/app/tab-bar.tsx'
import { UpdateBar } from '#src/app/update-bar.tsx'
import { configQuery } from '#src/data/config.ts'
import { useNewDay } from '#src/data/game-zone.ts'
import { useChannel } from '#src/data/live/use-channel.ts'
import { PageHeader } from '#src/features/page-header.tsx'
import { activateStoredLanguage, currentLanguageChoice } from '#src/i18n/activate-language.ts'
import { useText } from '#src/i18n/text.ts'
import { announced } from '#src/navigation/arrival.ts'
import { Link, useLocation } from '#src/navigation/navigation.tsx'
import { href, ROUTES, type RouteName, routeEntry, routeOf } from '#src/navigation/routes.ts'
import { screenOf } from '#src/navigation/screens.ts'
import { useScrollMemory } from '#src/navigation/scroll-memory.ts'

/** The column with the screen of the address, the tab bar where the screen has it, and toasts. */
export function Shell() {
  const { pathname } = useLocation()
  const name = routeOf(pathname)
  const { tab, wide = false } = name ? routeEntry(name) : {}
  useScrollMemory()
  useQuery(configQuery)
  useEffect(() => {
    removeLoaderWhenLeft()
    keepOffline()
  }, [])
  useFollowedSystemLanguage()
  useNewDay()
  useChannel({ inRoom: name === 'room' || name === 'watch' })

  return (
    <div className={styles.column} data-tabs={tab !== undefined} data-wide={wide}>
      <OfflineBar />
      <CrashBoundary resetKey={pathname}>
        <Suspense fallback={<PageFallback />}>
          {name ? <Screen key={name} name={name} /> : <NotFoundScreen />}
        </Suspense>
      </CrashBoundary>
      <UpdateBar shown={tab !== undefined} />
      <TabBar current={tab} />
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

/** Shown for an address that no route has. */
function NotFoundScreen() {
  const t = useText()
  return (
    <Page header={<PageHeader title={t('notFound.title')} back />}>
      <EmptyState icon="flag" title={t('notFound.title')} hint={t('notFound.hint')}>
        <Link className={buttonClass({ kind: 'soft' })} to={href('home')}>
          {t('action.home')}
        </Link>
      </EmptyState>
    </Page>
  )
}

/**
 * Removes the full-screen loader of index.html once its animation has ended. Only the style decides
 * how long it is shown (one second, styles/boot.css), so that it ends in time on a slow device too.
 * With reduced motion it is never shown.
 */
function removeLoaderWhenLeft(): void {
  const loader = document.getElementById('boot')
  if (!loader) return
  if (getComputedStyle(loader).visibility === 'hidden') {
    loader.remove()
    return
  }
  // The ends of its tiles' animations bubble up to here too.
  loader.addEventListener('animationend', ({ target }) => {
    if (target === loader) loader.remove()
  })
}

/** Changes the language with the system's, if 'follow system' is chosen. */
function useFollowedSystemLanguage(): void {
  useEffect(() => {
    const follow = () => {
      if (currentLanguageChoice().type === 0) activateStoredLanguage()
    }
    window.addEventListener('languagechange', follow)
    return () => window.removeEventListener('languagechange', follow)
  }, [])
}
