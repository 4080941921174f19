import { noticeList } from '@sum28/contract/index-routes.ts'
import { MESSAGES_A_REPLY } from '@sum28/contract/replies.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { call } from '#src/data/client.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { profileQuery } from '#src/data/profile.ts'
import { queryClient } from '#src/data/query-client.ts'
import { EndlessList } from '#src/features/history-list.tsx'
import { htmlText } from '#src/features/html-text.ts'
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
 * All notices; of older messages page by page. The server marks messages as read by this call, so it is never repeated
 * automatically, and its answer is kept even if the screen was left meanwhile.
 */
const noticesQuery = infiniteQueryOptions({
  queryKey: KEY,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  initialPageParam: undefined as number | undefined,
  getNextPageParam: ({ messages }: Notices) =>
    messages.length < MESSAGES_A_REPLY ? undefined : messages.at(-1)?.id,
  queryFn: async ({ pageParam: before_id }): Promise<Notices> => {
    const reply = await call(noticeList, { before_id })
    const known = knownMessages(queryClient.getQueryData(noticesQuery.queryKey)?.pages)
    const read = reply.zhannei.filter(({ id, read }) => !read && !known.has(id)).length
    queryClient.setQueryData(
      profileQuery.queryKey,
      (player) => player && { ...player, unread: Math.max(0, player.unread - read) },
    )
    return noticesFromWire(reply, known)
  },
})

/** Stores that the player has seen the messages: the next visit shows them as read. */
function markMessagesSeen(): void {
  queryClient.setQueryData(noticesQuery.queryKey, (notices) => {
    if (!notices || notices.pages.every(({ seen }) => seen)) return notices
    return { ...notices, pages: notices.pages.map((page) => ({ ...page, seen: true })) }
  })
}

const TABS = ['messages', 'announcements'] as const

const ICONS = { messages: 'mail', announcements: 'bell' } as const

/** The specification opens the second tab first, where the address names none. */
const FIRST_OPEN = TABS[1]

/** Messages to the player, and announcements to all. The link with the count of unread messages leads to these. */
export function NoticesScreen() {
  const t = useText()
  const [{ tab: requested }] = useRouteQuery('notices')
  const notices = useInfiniteQuery(noticesQuery)
  const [open, setOpen] = useState(TABS.find((tab) => tab === requested) ?? FIRST_OPEN)
  const shownMessages = open === 'messages' ? notices.data : undefined
  useEffect(() => {
    if (shownMessages) markMessagesSeen()
  }, [shownMessages])
  const unread = unseenOf(notices.data?.pages).length

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
              {tab === 'messages' && unread > 0 && <UnreadCount count={unread} />}
            </>
          ),
          content: (
            <Loaded
              query={notices}
              skeleton={<SkeletonRows count={4} />}
              empty={({ pages }) =>
                pages.every((page) => page[tab].length === 0) && {
                  icon: ICONS[tab],
                  title: t(`notices.no-${tab}`),
                  hint: t(`notices.no-${tab}Hint`),
                }
              }
            >
              {({ pages }) => {
                const items = pages.flatMap((page) => page[tab])
                const rows = (
                  <RecordCard items={items} keyOf={({ id }) => id}>
                    {(notice) => <NoticeRow notice={notice} icon={ICONS[tab]} />}
                  </RecordCard>
                )
                if (tab === 'announcements') return rows
                return (
                  <EndlessList query={notices} end={t('list.end', { count: items.length })}>
                    {rows}
                  </EndlessList>
                )
              }}
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
  const long = useMemo(() => isLong(notice.content), [notice.content])
  const [open, setOpen] = useState(false)
  return (
    <RecordRow
      sign={<RecordSign icon={icon} tone={notice.read ? 'quiet' : 'accent'} />}
      title={
        <>
          <span lang={notice.lang}>{notice.title}</span>
          {!notice.read && <RecordBadge tone="accent">{t('notices.new')}</RecordBadge>}
        </>
      }
      note={momentText(notice.createtime * 1_000, when)}
    >
      <div className={styles.text} data-folded={long && !open}>
        <SafeHtml html={notice.content} lang={notice.lang} />
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
  return htmlText(html).length > FOLD_FROM || /<(img|table)\b/i.test(html)
}

type NoticesOnWire = ReplyOf<typeof noticeList>

/** Its HTML is from the server: to be made safe before it is shown. */
type Notice = NoticesOnWire['zhannei'][number]

/** One reply. */
export type Notices = ReturnType<typeof noticesFromWire>

/** The messages fetched before, each with whether the player has read it. */
export function knownMessages(pages: readonly Notices[] = []): ReadonlyMap<number, boolean> {
  return new Map(
    pages.flatMap(({ messages, seen }) => messages.map(({ id, read }) => [id, read || seen])),
  )
}

/**
 * Reads the notices from the wire. By the server's word a message is read a minute after it was fetched: here one that
 * was fetched before is read once the player has seen it.
 */
export function noticesFromWire(
  { zhannei, pingtai }: NoticesOnWire,
  known: ReadonlyMap<number, boolean>,
) {
  return {
    /** Newest first, as are the announcements. */
    messages: zhannei.map((message) => ({
      ...message,
      read: known.get(message.id) ?? message.read,
    })),
    announcements: pingtai,
    /** Whether the player has seen the messages since they were fetched. */
    seen: false,
  }
}

/** The unread messages that the player has not seen since they were fetched. */
function unseenOf(pages: readonly Notices[] = []): readonly Notice[] {
  const messages = pages.filter(({ seen }) => !seen).flatMap((page) => page.messages)
  return messages.filter(({ read }) => !read)
}
