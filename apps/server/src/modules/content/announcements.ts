import type { Language } from '@sum28/i18n/languages.ts'
import type { Database } from '#src/db/database.ts'
import { type Announcement, announcementsFor, announcementsRead } from './article-store.ts'

const SHOWN = 50

/** Makes the function that gives a player the announcements in his language, and notes that he read them. */
export function announcementReader(db: Database) {
  return async (reader: { playerId: number; lang: Language }): Promise<Announcement[]> => {
    const announcements = await announcementsFor(db, { ...reader, limit: SHOWN })
    const unread = announcements.find(({ read }) => !read)
    if (unread) {
      const upTo = Math.max(...announcements.map(({ publishedAt }) => publishedAt))
      await announcementsRead(db, { playerId: reader.playerId, upTo })
    }
    return announcements
  }
}
