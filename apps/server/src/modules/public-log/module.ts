/** The public log as players, monitors and witnesses read it: files under /tlog/. */
import { formatBundle, readTilePath, TILE_WIDTH } from '@sum28/fairness/log-tiles.ts'
import type { Resources } from '#src/resources.ts'
import { keysText, logKeys, openWitnesses, originOf } from './log-keys.ts'
import { entriesOf, hashesOf, latestCheckpoint, logNumber } from './log-store.ts'

/** A file of the log. One that is `fixed` never changes. */
export type LogFile = { content: string | Uint8Array; fixed: boolean }

export function publicLogModule(deps: Pick<Resources, 'db' | 'config' | 'secretKeys'>) {
  const { db } = deps
  const keys = new Map<string, string>()

  function keysOf(origin: string): string {
    const own = logKeys(origin, deps.secretKeys)
    const text = keys.get(origin) ?? keysText(own, openWitnesses(deps.config, own))
    keys.set(origin, text)
    return text
  }

  return {
    /** @param path under /tlog/. @returns null if the log has no such file */
    async readLogFile(path: string): Promise<LogFile | null> {
      const origin = originOf(deps.config, await logNumber(db))
      if (path === 'vkeys') return { content: keysOf(origin), fixed: false }
      const tile = path === 'checkpoint' ? null : readTilePath(path)
      if (path !== 'checkpoint' && !tile) return null
      const checkpoint = await latestCheckpoint(db, origin)
      if (!checkpoint) return null
      if (!tile) return { content: checkpoint.note, fixed: false }
      const { level, index, width } = tile
      const each = TILE_WIDTH ** (level === 'entries' ? 0 : level)
      // What is not signed is not shown.
      if ((index * TILE_WIDTH + width) * each > checkpoint.size) return null
      const content =
        level === 'entries'
          ? formatBundle((await entriesOf(db, tile)).map((text) => Buffer.from(text)))
          : Buffer.concat(await hashesOf(db, { ...tile, level }))
      return { content, fixed: true }
    },
  }
}
