import { only, type Queryable } from '#src/db/database.ts'

/**
 * Forgets pictures of the house that no banner, article or other text, published or not, has named for so many
 * days; their files go with the next sweep of the folder. A picture is found unused first and forgotten later:
 * one that is taken out of an article, and put back in time, stays.
 *
 * @param days 1 or more
 * @returns how many were forgotten
 */
export async function sweepHousePictures(db: Queryable, days: number): Promise<number> {
  const { gone } = only(
    await db.query<{ gone: number }>('select console_content.forget_unused_pictures($1) as gone', [
      days,
    ]),
  )
  return gone
}
