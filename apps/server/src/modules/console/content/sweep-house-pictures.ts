import { only, type Queryable } from '#src/db/database.ts'

/**
 * Deletes pictures of the house that no banner, article or other text, published or not, has used for so many days;
 * the next sweep of the folder deletes their files. A picture is first marked as unused and deleted later: one that
 * is removed from an article, and put back in time, stays.
 *
 * @param days 1 or more
 * @returns how many were deleted
 */
export async function sweepHousePictures(db: Queryable, days: number): Promise<number> {
  const { gone } = only(
    await db.query<{ gone: number }>('select console_content.forget_unused_pictures($1) as gone', [
      days,
    ]),
  )
  return gone
}
