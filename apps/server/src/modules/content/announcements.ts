import type { Language } from '@sum28/i18n/languages.ts'
import type { Queryable } from '#src/db/database.ts'
import {
  type Announcement,
  announcementsReadAt,
  announcementsShown,
  noteAnnouncementsRead,
} from './article-store.ts'

const SHOWN = 50

/**
 * Makes the function that returns the announcements in a player's language and marks them as read.
 */
export function announcementReader(db: Queryable) {
  return async (reader: { playerId: number; lang: Language }): Promise<Announcement[]> => {
    const [shown, readAt] = await Promise.all([
      announcementsShown(db, { lang: reader.lang, limit: SHOWN }),
      announcementsReadAt(db, reader.playerId),
    ])
    const announcements = shown.map((each) => ({ ...each, read: each.publishedAt < readAt }))
    const unread = announcements.find(({ read }) => !read)
    if (unread) {
      const upTo = Math.max(...announcements.map(({ publishedAt }) => publishedAt))
      await noteAnnouncementsRead(db, { playerId: reader.playerId, upTo })
    }
    return announcements
  }
}
