import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import { Tabs } from '@sum28/ui/tabs.tsx'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { markMessagesSeen, noticesQuery } from '#src/data/notices.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { RecordCard } from '#src/features/record-card.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { NoticeRow } from '#src/screens/notices/notice-row.tsx'
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
  const showsMessages = open === 'messages' && notices.data !== undefined
  useEffect(() => {
    if (showsMessages) markMessagesSeen()
  }, [showsMessages])
  const unread = notices.data?.messages.filter((message) => message.unread).length ?? 0
  const showsCount = notices.data?.seen === false && unread > 0

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
                <RecordCard
                  items={data[tab]}
                  empty={
                    <EmptyState
                      icon={ICONS[tab]}
                      title={t(`notices.no-${tab}`)}
                      hint={t(`notices.no-${tab}Hint`)}
                      onReload={() => notices.refetch()}
                    />
                  }
                >
                  {(notice) => <NoticeRow notice={notice} icon={ICONS[tab]} />}
                </RecordCard>
              )}
            </Loaded>
          ),
        }))}
      />
    </Screen>
  )
}
