/**
 * Lists of the console: filtered, sorted and paged on the server by keyset. A request contains the cursor
 * at the end of the previous page, so that a late page costs as little as the first.
 */
import * as z from 'zod/mini'
import { id, optionalText } from './fields.ts'

/** The most items of one page. */
export const LIST_LIMIT_MAX = 100

/**
 * The fields of a list's request.
 *
 * @param sorts the fields to sort by; the first is the default
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

/** One page, and the cursor of the next page; null on the last page. */
export function listPage<Item extends z.core.$ZodType>(item: Item) {
  return z.object({ list: z.array(item), next: z.nullable(z.string()) })
}

/** A filter: only what the start page counts. */
export const due = z.optional(z.enum(['now'], { error: 'choice' }))

/**
 * A filter of what waits for a person: for the caller, or for others because he has taken a step before or has not the
 * role.
 */
export const turn = z.optional(z.enum(['you', 'others'], { error: 'choice' }))
export type Turn = 'you' | 'others'
