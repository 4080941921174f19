import type { ReactNode } from 'react'
import { Card } from '#src/parts/card.tsx'
import { RecordList } from '#src/parts/record-row.tsx'

type RecordCardProps<Item> = {
  items: readonly Item[]
  /** Shown if there is no item. */
  empty: ReactNode
  /** The row of an item. */
  children: (item: Item) => ReactNode
}

/** A card with a row for each item. */
export function RecordCard<Item extends { id: number | string }>({
  items,
  empty,
  children,
}: RecordCardProps<Item>) {
  if (items.length === 0) return empty
  return (
    <Card kind="rows">
      <RecordList>
        {items.map((item) => (
          <li key={item.id}>{children(item)}</li>
        ))}
      </RecordList>
    </Card>
  )
}
