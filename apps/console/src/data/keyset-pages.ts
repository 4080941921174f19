/**
 * react-admin requests pages by number, and the server returns the cursor of the next page. This stores
 * the cursors of a list. If the cursor of a page is not known, for example for a shared address, it
 * fetches the pages before it.
 */
type Page<Item> = { list: Item[]; next: string | null }

/**
 * @param list identifies the list: resource, filter, sort and page size
 * @param page from 1
 * @param fetchPage fetches the page after a cursor; without one the first
 */
type GetPage = <Item>(
  list: string,
  page: number,
  fetchPage: (after: string | undefined) => Promise<Page<Item>>,
) => Promise<Page<Item>>

export function keysetPages(): GetPage {
  /** By list: the cursor with which each page begins. The first has none. */
  const cursorsByList = new Map<string, Map<number, string | undefined>>()

  return async (list, page, fetchPage) => {
    const cursors = cursorsByList.get(list) ?? new Map([[1, undefined]])
    cursorsByList.set(list, cursors)
    let at = Math.max(...[...cursors.keys()].filter((number) => number <= page))
    for (;;) {
      const answer = await fetchPage(cursors.get(at))
      if (answer.next !== null) cursors.set(at + 1, answer.next)
      else for (const number of cursors.keys()) if (number > at) cursors.delete(number)
      if (at === page) return answer
      // The list has become so short that the requested page no longer exists.
      if (answer.next === null) return { list: [], next: null }
      at += 1
    }
  }
}
