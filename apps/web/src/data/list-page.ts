export type ListPage<Item> = {
  readonly list: readonly Item[]
  /** The number of all items. */
  readonly total: number
  /** From 1. */
  readonly page: number
}

export const PAGE_SIZE = 50

/** A reply as a page; a bare array, which a server may also send, is the only page. */
export function pageOfReply<Item>(reply: Item[] | ListPage<Item>): ListPage<Item> {
  return Array.isArray(reply) ? { list: reply, total: reply.length, page: 1 } : reply
}

/** The number of the page after this one, or undefined after the last. */
export function pageAfter(page: ListPage<unknown>): number | undefined {
  return page.list.length > 0 && page.page * PAGE_SIZE < page.total ? page.page + 1 : undefined
}

/**
 * The items of all pages in order, each once: a new item at the front moves the last item of a page
 * onto the next page.
 */
export function itemsOf<Item>(
  pages: readonly ListPage<Item>[],
  keyOf: (item: Item) => string | number,
): Item[] {
  const items = new Map<string | number, Item>()
  for (const { list } of pages) {
    for (const item of list) if (!items.has(keyOf(item))) items.set(keyOf(item), item)
  }
  return [...items.values()]
}
