/**
 * Lists of the console: filtered, sorted and paged on the server by keyset. A request contains the cursor
 * at the end of the previous page, so that a late page costs as little as the first.
 */
import * as z from 'zod/mini'
import { id, optionalText } from './fields.ts'
import { unix } from './replies.ts'
import type { Route } from './route.ts'
import { defineStaffDownload, type StaffDownload, type StaffRoute } from './staff-route.ts'

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

/** Whether a call of staff answers with a page of a list. */
export function isList(route: Route): route is StaffRoute {
  return route.auth === 'staff' && 'after' in fieldsOf(route.request)
}

/** All rows of a list that match its filters, as a table for a spreadsheet, as they are at one instant. */
export function csvOf(list: StaffRoute): StaffDownload {
  return defineStaffDownload({
    path: `${list.path}/csv`,
    summary: `${list.summary}: all of them, as a table for a spreadsheet`,
    action: list.action,
    mediaType: 'text/csv',
    request: list.request,
  })
}

/** The fields of an object's schema. */
function fieldsOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  return (schema as z.core.$ZodObject)._zod.def.shape ?? {}
}

/** A column of a list's table. */
export type ListColumn = {
  readonly name: string
  /** The keys that lead to its value in a row. */
  readonly path: readonly string[]
  readonly isInstant: boolean
}

/** The columns of the table of a list: the fields of its rows, with those of an object in place of it. */
export function columnsOf(list: StaffRoute): ListColumn[] {
  const rows = fieldsOf(list.reply).list as z.core.$ZodArray
  return columnsIn(rows._zod.def.element, [])
}

function columnsIn(schema: z.core.$ZodType, path: readonly string[]): ListColumn[] {
  const bare = schema instanceof z.ZodMiniNullable ? schema._zod.def.innerType : schema
  if (bare instanceof z.ZodMiniObject) {
    return Object.entries(fieldsOf(bare)).flatMap(([name, each]) =>
      columnsIn(each, [...path, name]),
    )
  }
  return [{ name: path.join('_'), path, isInstant: bare === unix }]
}
