import { noticeList } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { call } from '#src/data/client.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { profileQuery } from '#src/data/profile.ts'
import { queryClient } from '#src/data/query-client.ts'
import { paragraphsOf } from '#src/features/html-paragraphs.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { SafeHtml } from '#src/features/safe-html.tsx'
import { Screen } from '#src/features/screen.tsx'
import { UnreadCount } from '#src/features/unread-count.tsx'
import { useText } from '#src/i18n/text.ts'
import { momentText } from '#src/i18n/time-text.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'
import { Button } from '#src/parts/button.tsx'
import type { IconName } from '#src/parts/icon.tsx'
import { RecordBadge, RecordCard, RecordRow, RecordSign } from '#src/parts/record-row.tsx'
import { SkeletonRows } from '#src/parts/skeleton.tsx'
import { Tabs } from '#src/parts/tabs.tsx'
import styles from '#src/screens/notices/notices.module.css'

const KEY = ['notices']

/**
 * All notices. The server marks them as read by this call, so it is never repeated automatically,
 * and its answer is kept even if the screen was left meanwhile.
 */
const noticesQuery = queryOptions({
  queryKey: KEY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  queryFn: async () => {
    const reply = await call(noticeList, {})
    // The server has marked them as read.
    queryClient.setQueryData(profileQuery.queryKey, (known) => known && { ...known, unread: 0 })
    return noticesFromWire(reply, queryClient.getQueryData<Notices>(KEY))
  },
})

/** Stores that the player has seen the messages: the next visit shows them as read. */
function markMessagesSeen(): void {
  queryClient.setQueryData<Notices>(KEY, (notices) => notices && { ...notices, seen: true })
}

const TABS = ['messages', 'announcements'] as const

const ICONS = { messages: 'mail', announcements: 'bell' } as const

/** The specification opens the second tab first, where the address names none. */
const FIRST_OPEN = TABS[1]

/** Messages to the player, and announcements to all. The link with the count of unread messages leads to these. */
export function NoticesScreen() {
  const t = useText()
  const [{ tab: requested }] = useRouteQuery('notices')
  const notices = useQuery(noticesQuery)
  const [open, setOpen] = useState(TABS.find((tab) => tab === requested) ?? FIRST_OPEN)
  const showsMessages = open === 'messages' && notices.data !== undefined
  useEffect(() => {
    if (showsMessages) markMessagesSeen()
  }, [showsMessages])
  const unread = notices.data?.messages.filter((message) => message.unread).length ?? 0
  const showsCount = notices.data?.seen === false && unread > 0

  return (
    <Screen title={t('me.notices')} back refreshes={notices}>
      <Tabs
        label={t('me.notices')}
        value={open}
        onChange={setOpen}
        tabs={TABS.map((tab) => ({
          value: tab,
          label: (
            <>
              {t(`notices.${tab}`)}
              {tab === 'messages' && showsCount && <UnreadCount count={unread} />}
            </>
          ),
          content: (
            <Loaded
              query={notices}
              skeleton={<SkeletonRows count={4} />}
              empty={(data) =>
                data[tab].length === 0 && {
                  icon: ICONS[tab],
                  title: t(`notices.no-${tab}`),
                  hint: t(`notices.no-${tab}Hint`),
                }
              }
            >
              {(data) => (
                <RecordCard items={data[tab]} keyOf={({ id }) => id}>
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

/** A longer text is folded at first. */
const FOLD_FROM = 320

function NoticeRow({ notice, icon }: { notice: Notice; icon: IconName }) {
  const t = useText()
  const when = useTimeFormat()
  const long = useMemo(() => isLong(notice.html), [notice.html])
  const [open, setOpen] = useState(false)
  return (
    <RecordRow
      sign={<RecordSign icon={icon} tone={notice.unread ? 'accent' : 'quiet'} />}
      title={
        <>
          {notice.title}
          {notice.unread && <RecordBadge tone="accent">{t('notices.new')}</RecordBadge>}
        </>
      }
      note={momentText(notice.sentAt, when)}
    >
      <div className={styles.text} data-folded={long && !open}>
        <SafeHtml html={notice.html} />
      </div>
      {long && (
        <Button
          kind="plain"
          size="s"
          className={styles.more}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? t('notices.less') : t('notices.more')}
        </Button>
      )}
    </RecordRow>
  )
}

function isLong(html: string): boolean {
  return paragraphsOf(html).join(' ').length > FOLD_FROM || /<(img|table)\b/i.test(html)
}

type NoticesOnWire = ReplyOf<typeof noticeList>

export type Notice = {
  readonly id: number
  readonly title: string
  /** HTML from the server: to be made safe before it is shown. */
  readonly html: string
  /** Milliseconds since 1970. */
  readonly sentAt: number
  readonly unread: boolean
}

export type Notices = {
  /** Newest first, as are the announcements. */
  readonly messages: readonly Notice[]
  readonly announcements: readonly Notice[]
  /** Whether the player has seen the messages since they were fetched. */
  readonly seen: boolean
}

/**
 * Reads the notices from the wire. The server marks messages as read when they are fetched: here a
 * message that was unread before stays unread until the player has seen it.
 */
export function noticesFromWire(
  { zhannei, pingtai }: NoticesOnWire,
  before: Notices | undefined,
): Notices {
  const missed = before?.seen === false ? before.messages.filter(({ unread }) => unread) : []
  const missedIds = new Set(missed.map(({ id }) => id))
  return {
    messages: zhannei.map((message) => noticeFromWire(message, missedIds.has(message.id))),
    announcements: pingtai.map((announcement) => noticeFromWire(announcement, false)),
    seen: false,
  }
}

function noticeFromWire(notice: NoticesOnWire['zhannei'][number], missed: boolean): Notice {
  return {
    id: notice.id,
    title: notice.title,
    html: notice.content,
    sentAt: notice.createtime * 1_000,
    unread: !notice.read || missed,
  }
}
