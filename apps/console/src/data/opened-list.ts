/** The lists from whose rows pages were opened: with them a page leads to the next one of its list. */

/** By resource: what identified the rows, in their order. */
const lists = new Map<string, readonly string[]>()

export function rememberList(resource: string, ids: readonly (string | number)[]): void {
  lists.set(resource, ids.map(String))
}

export type Neighbours = { before: string | null; after: string | null; place: number; of: number }

/** The rows beside one in the list that was shown last; null where it was in none. */
export function neighboursOf(resource: string, id: string): Neighbours | null {
  const ids = lists.get(resource) ?? []
  const at = ids.indexOf(id)
  if (at < 0) return null
  return { before: ids[at - 1] ?? null, after: ids[at + 1] ?? null, place: at + 1, of: ids.length }
}
