import { classNames } from '@sum28/ui/class-names.ts'
import { Icon, type IconName } from '@sum28/ui/icon.tsx'
import styles from '#src/app/shell.module.css'
import { UnreadCount, useUnread } from '#src/features/unread-count.tsx'
import { useText } from '#src/i18n/text.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { href, type RouteName, type Tab } from '#src/navigation/routes.ts'
import { preloadScreen } from '#src/navigation/screens.ts'

const TABS = [
  { tab: 'home', route: 'home', icon: 'home' },
  { tab: 'news', route: 'news', icon: 'news' },
  { tab: 'hall', route: 'hall', icon: 'play' },
  { tab: 'charts', route: 'charts', icon: 'chart' },
  { tab: 'me', route: 'me', icon: 'person' },
] as const satisfies readonly { tab: Tab; route: RouteName; icon: IconName }[]

/** The bar at the bottom of the five main screens; on a wide screen at the side of every screen, with the gear. */
export function TabBar({ current }: { current: Tab | undefined }) {
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
