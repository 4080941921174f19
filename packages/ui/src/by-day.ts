import { type Day, dayOf } from '@sum28/domain/schedule.ts'

/** Items in their order, grouped by day. */
export function byDay<Item>(
  items: readonly Item[],
  {
    zone,
    at,
  }: {
    /** An IANA time zone name. */
    zone: string
    /** An item's instant, in milliseconds since 1970. */
    at: (item: Item) => number
  },
): { day: Day; items: Item[] }[] {
  const days: { day: Day; items: Item[] }[] = []
  for (const item of items) {
    const day = dayOf(zone, at(item))
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, items: [item] })
  }
  return days
}
