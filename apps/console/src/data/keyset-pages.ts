/**
 * react-admin asks for pages by their number, and the server gives the cursor of the page that follows. This
 * remembers the cursors of a list, and walks to a page whose cursor is not known, as when a shared address
 * names it.
 */
type Page<Item> = { list: Item[]; next: string | null }

export type KeysetPages = {
  /**
   * @param list what names the list: resource, filter, sort and size of a page
   * @param page from 1
   * @param ask gives the page after a cursor; without one the first
   */
  get<Item>(
    list: string,
    page: number,
    ask: (after: string | undefined) => Promise<Page<Item>>,
  ): Promise<Page<Item>>
}

/** How many lists are remembered. */
const LISTS_MAX = 50

export function keysetPages(): KeysetPages {
  /** By list: the cursor with which each page begins. The first has none. */
  const known = new Map<string, Map<number, string | undefined>>()

  function cursorsOf(list: string): Map<number, string | undefined> {
    const cursors = known.get(list) ?? new Map([[1, undefined]])
    known.delete(list)
    known.set(list, cursors)
    const oldest = known.keys().next()
    if (known.size > LISTS_MAX && !oldest.done) known.delete(oldest.value)
    return cursors
  }

  return {
    async get(list, page, ask) {
      const cursors = cursorsOf(list)
      let at = Math.max(...[...cursors.keys()].filter((number) => number <= page))
      for (;;) {
        const answer = await ask(cursors.get(at))
        if (answer.next !== null) cursors.set(at + 1, answer.next)
        else for (const number of cursors.keys()) if (number > at) cursors.delete(number)
        if (at === page) return answer
        // The list has become shorter than the page that was asked for.
        if (answer.next === null) return { list: [], next: null }
        at += 1
      }
    },
  }
}
