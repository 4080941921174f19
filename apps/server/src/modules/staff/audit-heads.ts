/**
 * The log's end, written day by day to a file outside the database. The owner of the database can delete the latest
 * rows together with their signatures, but cannot delete them from a copy of the file.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { giveToOwner } from '@sum28/fairness/witness/give-to-owner.ts'
import * as z from 'zod'
import { syncFolder } from '#src/process/sync-folder.ts'
import type { WrittenHead } from './audit-signature.ts'

const line = z.object({
  at: z.string(),
  id: z.int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  mac: z.string().regex(/^[0-9a-f]{64}$/),
  keyId: z.string(),
  restored: z.object({ to: z.string(), from: z.int().min(1) }).optional(),
})

export type AuditHeads = {
  readonly file: string
  /** Adds a head, unless the last one is the same, or the mark of a restore. */
  add(head: Omit<WrittenHead, 'at'>, at: number): void
  /**
   * All heads, oldest first.
   * @throws if a line is invalid
   */
  all(): WrittenHead[]
}

/** The heads of a data folder: `audit/heads.jsonl`, a line each. */
export function auditHeads(dataDir: string): AuditHeads {
  const file = join(dataDir, 'audit', 'heads.jsonl')

  function all(): WrittenHead[] {
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.flatMap((text, index) => {
      if (text === '') return []
      const read = parsed(text)
      // An incomplete last line after a power cut was never reported as written.
      if (!read && index === lines.length - 1) return []
      if (!read) throw new Error(`line ${index + 1} of ${file} is no head of the audit log`)
      return [read]
    })
  }

  /** Cuts an incomplete last line off, behind which the next one could not be read. @returns the file's length */
  function cutOff(): number {
    const bytes = existsSync(file) ? readFileSync(file) : Buffer.of()
    const whole = bytes.lastIndexOf('\n') + 1
    if (whole < bytes.length) truncateSync(file, whole)
    return whole
  }

  return {
    file,
    all,
    add(head, at) {
      const length = cutOff()
      if (!('restored' in head) && all().at(-1)?.id === head.id) return
      if (mkdirSync(dirname(file), { recursive: true })) giveToOwner(dirname(file))
      const to = openSync(file, 'a', 0o600)
      giveToOwner(file)
      try {
        // Until all of it is written, unlike `writeSync`.
        writeFileSync(to, `${JSON.stringify({ at: new Date(at).toISOString(), ...head })}\n`)
        fsyncSync(to)
        if (length === 0) for (const folder of [dirname(file), dataDir]) syncFolder(folder)
      } catch (error) {
        truncateSync(file, length)
        throw error
      } finally {
        closeSync(to)
      }
    },
  }
}

function parsed(text: string): WrittenHead | null {
  try {
    return line.parse(JSON.parse(text))
  } catch {
    return null
  }
}
