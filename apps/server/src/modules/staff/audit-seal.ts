/**
 * Seals of the audit log. The log's own hashes need no key, so the owner of the database could write another log and
 * hash it again. A seal is a keyed hash of a row's number and hash: through the chain it covers every row up to
 * there, and the key is not in the database.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Database } from '#src/db/database.ts'
import type { Sealer } from '#src/secrets/sealer.ts'
import {
  auditCheck,
  lastSeal,
  type Seal,
  type SealedRow,
  sealRow,
  sealsAfter,
} from './audit-seal-store.ts'

const PURPOSE = 'audit log'

/** Before the first row: a seal would cover nothing. */
const BEGINNING = { id: 0, hash: null }

const SEALS_AT_ONCE = 1_000

/** The log's end at a moment: a row's number and hash, and their seal. Hexadecimal. */
export type AuditHead = { id: number; hash: string; mac: string; keyId: string }

export type Sealing = {
  /** The end that is sealed now; null for an empty log. */
  head: AuditHead | null
  /** Whether it was sealed just now. */
  fresh: boolean
  /** The number of an altered row; null if none is found. If there is one, nothing is sealed. */
  brokenAt: number | null
}

/**
 * Seals the log's end, if it is new and follows from what was sealed before. It seals the present content of the
 * database: it does not notice a row that was altered between its writing and its first seal.
 */
export async function sealAudit(deps: { db: Database; sealer: Sealer }): Promise<Sealing> {
  const { db, sealer } = deps
  const last = await lastSeal(db)
  if (last && isForged(sealer, last)) return { head: null, fresh: false, brokenAt: last.id }
  // A seal whose key was removed proves nothing any more: then all is read again.
  const known = last && sealer.knows(last.keyId) ? last : BEGINNING
  const { place, lastId, lastHash } = await auditCheck(db, known, [])
  if (place !== null) return { head: null, fresh: false, brokenAt: place }
  if (lastId === 0) return { head: null, fresh: false, brokenAt: null }
  if (last && known === last && last.id === lastId) {
    return { head: headOf(last, lastHash), fresh: false, brokenAt: null }
  }
  const seal = {
    id: lastId,
    mac: macOf(sealer, { id: lastId, hash: lastHash }),
    keyId: sealer.keyId,
  }
  await sealRow(db, { ...seal, hash: lastHash })
  return { head: headOf(seal, lastHash), fresh: true, brokenAt: null }
}

/**
 * Compares every seal whose key is known with its row.
 *
 * @returns the number of the first row that differs from its seal; null if none is found
 */
export async function findForgedSeal(deps: {
  db: Database
  sealer: Sealer
}): Promise<number | null> {
  for (let after: Pick<Seal, 'id' | 'keyId'> = { id: 0, keyId: '' }; ; ) {
    const seals = await sealsAfter(deps.db, { after, limit: SEALS_AT_ONCE })
    const forged = seals.find((seal) => isForged(deps.sealer, seal))
    if (forged) return forged.id
    const end = seals.at(-1)
    if (!end || seals.length < SEALS_AT_ONCE) return null
    after = end
  }
}

/** Whether a head was made with our key; null if that key is not known any more. */
export function isOurHead(sealer: Sealer, head: AuditHead): boolean | null {
  if (!sealer.knows(head.keyId)) return null
  return isMacOf(sealer, { ...head, mac: Buffer.from(head.mac, 'hex') })
}

function isForged(sealer: Sealer, seal: SealedRow): boolean {
  if (!sealer.knows(seal.keyId)) return false
  return seal.hash === null || !isMacOf(sealer, { ...seal, hash: seal.hash })
}

function isMacOf(sealer: Sealer, { id, hash, mac, keyId }: Seal & { hash: string }): boolean {
  const expected = macOf(sealer, { id, hash }, keyId)
  return mac.length === expected.length && timingSafeEqual(mac, expected)
}

function macOf(sealer: Sealer, row: { id: number; hash: string }, keyId?: string): Buffer {
  return sealer.mac(Buffer.from(`${row.id}:${row.hash}`), PURPOSE, keyId)
}

function headOf({ id, mac, keyId }: Seal, hash: string): AuditHead {
  return { id, hash, mac: mac.toString('hex'), keyId }
}
