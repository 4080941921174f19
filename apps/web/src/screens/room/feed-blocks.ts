import type { FeedEntry } from '#src/data/feed.ts'

/** Ids that may stand in one block. */
const BLOCK_IDS = 8

/** Entries that stand together: of one round, and not too many. */
type FeedBlock = { key: string; issue: string; entries: FeedEntry[] }

/**
 * A feed in blocks, in its order. Which block an entry stands in depends on itself alone, so that
 * rows stay where they are when others come or go.
 */
export function blocksOf(entries: readonly FeedEntry[]): FeedBlock[] {
  const blocks = new Map<string, FeedBlock>()
  for (const entry of entries) {
    const key = `${entry.issue} ${Math.floor(entry.id / BLOCK_IDS)}`
    const block = blocks.get(key)
    if (block) block.entries.push(entry)
    else blocks.set(key, { key, issue: entry.issue, entries: [entry] })
  }
  return [...blocks.values()]
}
