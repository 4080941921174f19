/** Converts rows of the database to wire form. */
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import type { ListPage } from './player-lists.ts'

/** A page with its rows in wire form. */
export function listed<Row, Item>(
  page: ListPage<Row> | Refusal,
  itemOf: (row: Row) => Item,
): ListPage<Item> | Refusal {
  return isRefusal(page) ? page : { list: page.list.map(itemOf), next: page.next }
}
