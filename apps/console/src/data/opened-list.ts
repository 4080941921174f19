/** The lists from which pages were opened, so that a page can link to the next row of its list. */

/** Ids of the rows in order, by resource. */
const lists = new Map<string, readonly string[]>()

export function rememberList(resource: string, ids: readonly (string | number)[]): void {
  lists.set(resource, ids.map(String))
}

type Neighbours = {
  before: string | null
  after: string | null
  position: number
  of: number
}

/** The rows before and after a row in the last shown list; null if the list does not contain it. */
export function neighboursOf(resource: string, id: string): Neighbours | null {
  const ids = lists.get(resource) ?? []
  const at = ids.indexOf(id)
  if (at < 0) return null
  return {
    before: ids[at - 1] ?? null,
    after: ids[at + 1] ?? null,
    position: at + 1,
    of: ids.length,
  }
}
