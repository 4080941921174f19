/** Events as text between processes: `{"from":"1f…","news":["betsPlaced:11","roundChanged:1"]}`. */
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { BusEvent } from './bus.ts'

const message = z.object({ from: z.string(), news: z.array(z.string()) })

/** The most items in one message: PostgreSQL carries less than 8,000 bytes. */
const ITEMS_MAX = 300

/** An identifier for one process, so that it ignores its own events. */
export function newSender(): string {
  return randomBytes(8).toString('hex')
}

/** The messages that carry these events, each event once. */
export function eventTexts(from: string, events: readonly BusEvent[]): string[] {
  const items = [...new Set(events.map(({ topic, id }) => `${topic}:${id}`))]
  const texts: string[] = []
  for (let first = 0; first < items.length; first += ITEMS_MAX) {
    texts.push(JSON.stringify({ from, news: items.slice(first, first + ITEMS_MAX) }))
  }
  return texts
}

/** The events of a message, or nothing if it is not one of ours: anybody may notify on a database. */
export function parseEvents(text: string): { from: string; events: BusEvent[] } | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  const checked = message.safeParse(parsed)
  if (!checked.success) return null
  const events = checked.data.news.flatMap((item): BusEvent[] => {
    const [, topic, id] = /^(betsPlaced|roundChanged|clockMoved):(\d{1,9})$/.exec(item) ?? []
    return topic && id ? [{ topic: topic as BusEvent['topic'], id: Number(id) }] : []
  })
  return { from: checked.data.from, events }
}
