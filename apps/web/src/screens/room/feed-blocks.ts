import type { FeedEntry } from '#src/data/feed.ts'

/** The range of ids in one block. */
const BLOCK_IDS = 8

/** Neighbouring entries of one round. */
type FeedBlock = { key: string; issue: string; entries: FeedEntry[] }

/**
 * A feed in blocks, in its order. Each entry's block depends only on the entry, so that other rows
 * do not move it between blocks.
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
