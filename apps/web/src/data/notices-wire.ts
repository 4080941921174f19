/** Messages to the player, and announcements to all. */
import type { noticeList } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'

type NoticesOnWire = ReplyOf<typeof noticeList>

export type Notice = {
  readonly id: number
  readonly title: string
  /** HTML from the server: never to be put into the page as it is. */
  readonly html: string
  /** Milliseconds since 1970. */
  readonly sentAt: number
  readonly unread: boolean
}

export type Notices = {
  /** Newest first, as are the announcements. */
  readonly messages: readonly Notice[]
  readonly announcements: readonly Notice[]
  /** Whether the messages have been looked at since they were fetched. */
  readonly looked: boolean
}

/**
 * Reads the notices from the wire. The server counts the fetching as reading: a message that was
 * unread in what was known before, and that nobody has looked at, stays unread here.
 */
export function noticesFromWire(
  { zhannei, pingtai }: NoticesOnWire,
  before: Notices | undefined,
): Notices {
  const missed = before?.looked === false ? before.messages.filter(({ unread }) => unread) : []
  const missedIds = new Set(missed.map(({ id }) => id))
  return {
    messages: zhannei.map((message) => noticeFromWire(message, missedIds.has(message.id))),
    announcements: pingtai.map((announcement) => noticeFromWire(announcement, false)),
    looked: false,
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
