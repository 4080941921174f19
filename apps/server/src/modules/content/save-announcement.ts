import type { Database } from '#src/db/database.ts'
import { malformed, type Refusal, refuse } from '#src/refusal.ts'
import { putAnnouncement, replacePages } from './article-store.ts'
import { type Localized, type Page, readPages } from './localized.ts'

/**
 * Saves an announcement to all players; HTML is made safe on the way in.
 *
 * @param draft `id` null for a new one; `publishedAt` in unix milliseconds, null while it is a draft
 * @returns its id, or malformed (by field) or not_found
 */
export async function saveAnnouncement(
  { db }: { db: Database },
  draft: { id: number | null; publishedAt: number | null; pages: Localized<Page> },
): Promise<{ id: number } | Refusal> {
  const read = readPages(draft.pages)
  if (!read.ok) return malformed(read.faults)
  return db.transaction(async (tx) => {
    const id = await putAnnouncement(tx, draft)
    if (id === undefined) return refuse('not_found')
    await replacePages(tx, { of: 'announcement', id, pages: read.pages })
    return { id }
  })
}
