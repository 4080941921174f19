import { loadChunk } from '@sum28/ui/chunk.ts'
import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import { useStore } from '@sum28/ui/store.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { CrashBoundary } from '#src/app/crash-boundary.tsx'
import { Guard, PageFallback } from '#src/app/guard.tsx'
import styles from '#src/app/shell.module.css'
import { configQuery } from '#src/data/config.ts'
import { useChannel } from '#src/data/live/use-channel.ts'
import { watchTabSession } from '#src/data/session-watch.ts'
import { UnreadCount, useUnread } from '#src/features/unread-count.tsx'
import { withAllTexts } from '#src/i18n/load.tsx'
import { useText } from '#src/i18n/text.ts'
import { announced, useScrollMemory } from '#src/navigation/arrival.ts'
import { Link, useLocation } from '#src/navigation/navigation.tsx'
import { href, type RouteName, routeEntry, routeOf, type Tab } from '#src/navigation/routes.ts'
import { preloadScreen, preloadScreenFiles, screenOf } from '#src/navigation/screens.ts'
import { classNames } from '#src/parts/class-names.ts'
import { Icon, type IconName } from '#src/parts/icon.tsx'
import { Toasts } from '#src/parts/toasts.tsx'
import { whenIdle } from '#src/parts/when-idle.ts'

/** Loaded after the first screen, which does without; where they cannot be loaded, the app goes on without them. */
const afterStart = () =>
  loadChunk(() => import('#src/app/after-start.tsx')).catch(() => ({
    OfflineBar: () => null,
    UpdateBar: () => null,
    Watches: () => null,
  }))
const OfflineBar = lazyComponent(async () => (await afterStart()).OfflineBar)
const NotFoundScreen = lazyComponent(async () =>
  withAllTexts((await import('#src/app/not-found-screen.tsx')).NotFoundScreen),
)
const UpdateBar = lazyComponent<{ shown: boolean }>(async () => (await afterStart()).UpdateBar)
const Watches = lazyComponent(async () => (await afterStart()).Watches)

/** Screens without a button at their end, which a message would cover. */
const LISTS: readonly (RouteName | null)[] = ['betHistory', 'statement', 'trend', 'pastRounds']

/** The column with the screen of the address, the tab bar where the screen has it, and toasts. */
export function Shell() {
  const { pathname } = useLocation()
  const name = routeOf(pathname)
  const { tab, wide = false } = name ? routeEntry(name) : {}
  const [shownFirst, setShownFirst] = useState(false)
  useScrollMemory()
  useEffect(() => {
    removeLoaderWhenLeft()
    preloadScreenFiles()
  }, [])
  useEffect(() => whenIdle(() => setShownFirst(true)), [])
  useEffect(watchTabSession, [])
  useChannel({ inRoom: name === 'room' || name === 'watch' })

  return (
    <div className={styles.column} data-tabs={tab !== undefined} data-wide={wide}>
      <Suspense>{shownFirst && <OfflineBar />}</Suspense>
      <CrashBoundary resetKey={pathname}>
        <Suspense fallback={<PageFallback />}>
          {name ? <Screen key={name} name={name} /> : <NotFoundScreen />}
        </Suspense>
      </CrashBoundary>
      <Suspense>{shownFirst && <UpdateBar shown={tab !== undefined} />}</Suspense>
      <Suspense>{shownFirst && <Watches />}</Suspense>
      <TabBar current={tab} />
      <Toasts atTop={tab === undefined && !LISTS.includes(name)} />
      <Announcement />
      <Config />
    </div>
  )
}

function Announcement() {
  return (
    <div className="unseen" aria-live="polite">
      {useStore(announced)}
    </div>
  )
}

/** Keeps the operator's configuration loaded. Were it the shell's, its arrival would render the screen without a pause. */
function Config() {
  useQuery(configQuery)
  return null
}

function Screen({ name }: { name: RouteName }) {
  const Content = screenOf(name)
  return (
    <Guard access={routeEntry(name).access ?? 'token'}>
      {/* biome-ignore lint/nursery/useReactCompiler: one of a table, made once */}
      <Content />
    </Guard>
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

const TABS = [
  { tab: 'home', route: 'home', icon: 'home' },
  { tab: 'news', route: 'news', icon: 'news' },
  { tab: 'hall', route: 'hall', icon: 'play' },
  { tab: 'charts', route: 'charts', icon: 'chart' },
  { tab: 'me', route: 'me', icon: 'person' },
] as const satisfies readonly { tab: Tab; route: RouteName; icon: IconName }[]

/** The bar at the bottom of the five main screens; on a wide screen at the side of every screen, with the gear. */
function TabBar({ current }: { current: Tab | undefined }) {
  const t = useText()
  const unread = useUnread()
  return (
    <nav className={styles.tabBar} data-shown={current !== undefined} aria-label={t('tab.label')}>
      {TABS.map(({ tab, route, icon }) => (
        <Link
          key={tab}
          to={href(route)}
          className={styles.tab}
          aria-current={tab === current ? 'page' : undefined}
          onPointerDown={() => preloadScreen(route)}
        >
          <Icon name={icon} />
          <span>{t(`tab.${tab}`)}</span>
          {tab === 'me' && unread > 0 && <UnreadCount count={unread} />}
        </Link>
      ))}
      <Link to={href('system')} className={classNames(styles.tab, styles.gear)}>
        <Icon name="gear" />
        <span>{t('tab.system')}</span>
      </Link>
    </nav>
  )
}
