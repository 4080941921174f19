/** The content module's SQL. */
import type { Queryable } from '#src/db/database.ts'

export function shownBanners(
  db: Queryable,
): Promise<{ id: number; image: string; link: string }[]> {
  return db.query(`select id, image, link from content.banner where shown order by position, id`)
}

/** A text of the operator in a language, else in English, else null. */
export async function textOf(db: Queryable, key: string, lang: string): Promise<string | null> {
  const [row] = await db.query<{ content: string }>(
    `select content from content.text where key = $1 and lang in ($2, 'en') order by lang = $2 desc limit 1`,
    [key, lang],
  )
  return row?.content ?? null
}
