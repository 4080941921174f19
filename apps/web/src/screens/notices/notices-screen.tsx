import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import { Tabs } from '@sum28/ui/tabs.tsx'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { lookedAtMessages, noticesQuery } from '#src/data/notices.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { NoticeList } from '#src/screens/notices/notice-list.tsx'
import styles from '#src/screens/notices/notices-screen.module.css'

const TABS = ['messages', 'announcements'] as const

const ICONS = { messages: 'mail', announcements: 'bell' } as const

/** The specification opens the second tab first. */
const FIRST_OPEN = TABS[1]

/** Messages to the player, and announcements to all. */
export function NoticesScreen() {
  const t = useText()
  const notices = useQuery(noticesQuery)
  const [open, setOpen] = useState<(typeof TABS)[number]>(FIRST_OPEN)
  const looking = open === 'messages' && notices.data !== undefined
  useEffect(() => {
    if (looking) lookedAtMessages()
  }, [looking])
  const unread = notices.data?.messages.filter((message) => message.unread).length ?? 0
  const showsCount = notices.data?.looked === false && unread > 0

  return (
    <Screen title={t('me.notices')} back onRefresh={() => notices.refetch({ throwOnError: true })}>
      <Tabs
        label={t('me.notices')}
        value={open}
        onChange={setOpen}
        tabs={TABS.map((tab) => ({
          value: tab,
          label: (
            <>
              {t(`notices.${tab}`)}
              {tab === 'messages' && showsCount && (
                <span className={styles.count}>
                  <span aria-hidden="true">{unread}</span>
                  <span className="unseen">{t('notices.unread', { count: unread })}</span>
                </span>
              )}
            </>
          ),
          content: (
            <Loaded query={notices} skeleton={<SkeletonRows count={4} />}>
              {(data) => (
                <NoticeList
                  notices={data[tab]}
                  icon={ICONS[tab]}
                  empty={{ title: t(`notices.no-${tab}`), hint: t(`notices.no-${tab}Hint`) }}
                  onReload={() => notices.refetch()}
                />
              )}
            </Loaded>
          ),
        }))}
      />
    </Screen>
  )
}
