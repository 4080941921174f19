/** The public log as players, monitors and witnesses read it: files under /tlog/. */
import { logGrowth } from '@sum28/contract/fairness-routes.ts'
import { formatKeyChanges } from '@sum28/fairness/key-change.ts'
import { formatBundle, readTilePath, TILE_WIDTH } from '@sum28/fairness/log-tiles.ts'
import type { Queryable } from '#src/db/database.ts'
import { bind } from '#src/http/call.ts'
import { refuse } from '#src/refusal/refusal.ts'
import { type LogSettings, originOf, verifierKeys } from './log-keys.ts'
import { growthReader, logReader, receiptSigner } from './log-proof.ts'
import {
  entriesOf,
  hashesOf,
  keyChanges,
  latestCheckpoint,
  loggedEntries,
  logNumber,
  witnessesEver,
} from './log-store.ts'

/**
 * By when a round's book was closed, or it was drawn or voided: the first checkpoint with that which its witnesses have
 * signed, with their times.
 */
const WITNESSED = /^(witnessed|drawn|voided)\/([0-9]{1,5})\/([0-9]{1,14})$/

const KINDS = { witnessed: 'book', drawn: 'draw', voided: 'void' }

/** A file of the log. One that is `fixed` never changes. */
export type LogFile = { content: string | Uint8Array; fixed: boolean }

export function publicLogModule(deps: LogSettings & { db: Queryable }) {
  const { db } = deps
  const { ofRound, ofCount } = logReader(deps)
  const readGrowth = growthReader(deps)
  return {
    routes: [
      bind(logGrowth, async ({ input }) => {
        const proofs = await readGrowth(input.sizes)
        return proofs ? { proofs } : refuse('not_found')
      }),
    ],
    readLogProof: ofRound,
    readOwedLog: ofCount,
    signReceipt: receiptSigner(deps),
    /** @param path under /tlog/. @returns null if the log has no such file */
    async readLogFile(path: string): Promise<LogFile | null> {
      const origin = originOf(deps.config, await logNumber(db))
      if (path === 'vkeys') {
        const keys = verifierKeys(origin, deps, await witnessesEver(db))
        return { content: `${keys.join('\n')}\n`, fixed: false }
      }
      if (path === 'keys') {
        return { content: formatKeyChanges(await keyChanges(db)), fixed: false }
      }
      const [, of, gameId, issue] = WITNESSED.exec(path) ?? []
      if (gameId && issue) {
        const kind = KINDS[of as keyof typeof KINDS]
        const logged = await loggedEntries(db, origin, [`${kind} ${Number(gameId)} ${issue}`])
        return logged?.witnessed ? { content: logged.note, fixed: logged.byAll } : null
      }
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
