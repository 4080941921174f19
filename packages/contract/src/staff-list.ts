/**
 * Lists of the console: filtered, sorted and paged on the server by keyset. A page is asked for with the
 * cursor that the page before ended with, so that a late page costs as little as the first.
 */
import * as z from 'zod/mini'
import { id, optionalText } from './fields.ts'

/** The most items of one page. */
export const LIST_LIMIT_MAX = 100

/**
 * The fields of a list's request.
 *
 * @param sorts what it can be sorted by; the first is the usual one
 * @param filters further fields, each optional
 */
export function listRequest<
  const Sorts extends readonly [string, ...string[]],
  Filters extends z.core.$ZodLooseShape,
>(sorts: Sorts, filters: Filters) {
  return z.object({
    ...filters,
    sort: z.optional(z.enum(sorts, { error: 'choice' })),
    order: z.optional(z.enum(['asc', 'desc'], { error: 'choice' })),
    /** The cursor `next` of the page before; the first page has none. */
    after: optionalText(400),
    limit: z.optional(id),
  })
}

/** One page, and the cursor of the page that follows; null where none does. */
export function listPage<Item extends z.core.$ZodType>(item: Item) {
  return z.object({ list: z.array(item), next: z.nullable(z.string()) })
}
