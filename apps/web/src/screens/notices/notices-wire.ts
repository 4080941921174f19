/** Messages to the player, and announcements to all. */
import type { noticeList } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'

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
