import type { Database } from '#src/db/database.ts'
import { malformed, type Refusal, refuse } from '#src/refusal.ts'
import { hasCategory, putArticle, replacePages } from './article-store.ts'
import { type Localized, type Page, readPages } from './localized.ts'
import { isOwnPath } from './safe-html.ts'

export type ArticleDraft = {
  /** Null for a new one. */
  id: number | null
  categoryId: number
  /** A path of the app's own, or empty. */
  image: string
  top: boolean
  /** Unix milliseconds from when it can be read; null while it is a draft. */
  publishedAt: number | null
  pages: Localized<Page>
}

/**
 * Saves an article with its words in every language that it has; HTML is made safe on the way in.
 *
 * @returns its id, or malformed (by field: `en.title`, `ja.html`, `image`, `category_id`) or
 * not_found where there is no article of this id
 */
export async function saveArticle(
  { db }: { db: Database },
  draft: ArticleDraft,
): Promise<{ id: number } | Refusal> {
  const { image, categoryId } = draft
  const read = readPages(draft.pages)
  if (!read.ok) return malformed(read.faults)
  if (image !== '' && !isOwnPath(image)) return malformed({ image: 'invalid' })
  if (!(await hasCategory(db, categoryId))) return malformed({ category_id: 'choice' })
  return db.transaction(async (tx) => {
    const id = await putArticle(tx, draft)
    if (id === undefined) return refuse('not_found')
    await replacePages(tx, { of: 'article', id, pages: read.pages })
    return { id }
  })
}
