/**
 * Signatures of the audit log. The log's own hashes need no key, so the owner of the database could write another log
 * and hash it again. A signature is a keyed hash of a row's number and hash: through the chain it covers every row up
 * to there, and the key is not in the database.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Database, Queryable } from '#src/db/database.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

const PURPOSE = 'audit log'

/** Before the first row: a signature would cover nothing. */
export const BEGINNING = { id: 0, hash: null }

const SIGNATURES_AT_ONCE = 1_000

/** Rows that one statement reads: far within the limit of a request's statement, however long the log is. */
const ROWS_AT_ONCE = 20_000

/** The log's end at a moment: a row's number and hash, and their signature. Hexadecimal. */
export type AuditHead = { id: number; hash: string; mac: string; keyId: string }

/**
 * An end as it is written down; with `restored` also the mark that the database was restored to an instant: the ends
 * written before it, from that row on, are of a past that is gone.
 */
export type WrittenHead = AuditHead & {
  /** When it was written: an instant in ISO's form. */
  at: string
  restored?: { to: string; from: number } | undefined
}

export type SignedEnd = {
  /** The end that is signed now; null for an empty log. */
  head: AuditHead | null
  /** Whether it was signed just now. */
  fresh: boolean
  /** The number of an altered row; null if none is found. If there is one, nothing is signed. */
  brokenAt: number | null
}

/**
 * Signs the log's end, if it is new and follows from what was signed before. It signs the present content of the
 * database: it does not notice a row that was altered between its writing and its first signature.
 */
export async function signAudit(deps: { db: Database; cipher: SecretCipher }): Promise<SignedEnd> {
  const { db, cipher } = deps
  const last = await db.first<SignedRow>(
    `select ${SIGNED_ROW} order by audit_id desc, signed_at desc limit 1`,
  )
  if (last && isForged(cipher, last)) return { head: null, fresh: false, brokenAt: last.id }
  // A signature whose key was removed proves nothing any more: then all is read again.
  const start = last && cipher.knows(last.keyId) ? last : BEGINNING
  const { brokenId, lastId, lastHash } = await auditCheck(db, start)
  if (brokenId !== null) return { head: null, fresh: false, brokenAt: brokenId }
  if (lastId === 0) return { head: null, fresh: false, brokenAt: null }
  if (last && start === last && last.id === lastId) {
    return { head: headOf(last, lastHash), fresh: false, brokenAt: null }
  }
  const signature = {
    id: lastId,
    mac: macOf(cipher, { id: lastId, hash: lastHash }),
    keyId: cipher.keyId,
  }
  await signRow(db, { ...signature, hash: lastHash })
  return { head: headOf(signature, lastHash), fresh: true, brokenAt: null }
}

/**
 * Compares every signature whose key is known with its row.
 *
 * @returns the number of the first row that differs from its signature; null if none is found
 */
export async function findForgedSignature(deps: {
  db: Database
  cipher: SecretCipher
}): Promise<number | null> {
  for (let after: Pick<AuditSignature, 'id' | 'keyId'> = { id: 0, keyId: '' }; ; ) {
    const signatures = await deps.db.query<SignedRow>(
      `select ${SIGNED_ROW} where (audit_id, key_id) > ($1, $2) order by audit_id, key_id limit $3`,
      [after.id, after.keyId, SIGNATURES_AT_ONCE],
    )
    const forged = signatures.find((signature) => isForged(deps.cipher, signature))
    if (forged) return forged.id
    const end = signatures.at(-1)
    if (!end || signatures.length < SIGNATURES_AT_ONCE) return null
    after = end
  }
}

/**
 * Whether a head was made with our key; null if that key is not known any more.
 *
 * @param before the heads that were written before it
 */
export function isOurHead(
  cipher: SecretCipher,
  head: Omit<WrittenHead, 'at'>,
  before: readonly AuditHead[] = [],
): boolean | null {
  if (!cipher.knows(head.keyId)) return null
  const mac = Buffer.from(head.mac, 'hex')
  if (!head.restored) return isMacOf(cipher, { ...head, mac })
  const expected = cipher.mac(markOf(head, head.restored, before), PURPOSE, head.keyId)
  return mac.length === expected.length && timingSafeEqual(mac, expected)
}

/** Marks the log's present end as that of a restored database. The mark is valid only after these heads. */
export function signRestore(
  cipher: SecretCipher,
  { id, hash }: Pick<AuditHead, 'id' | 'hash'>,
  restored: { to: string; from: number },
  before: readonly AuditHead[],
): Omit<WrittenHead, 'at'> {
  const mac = cipher.mac(markOf({ id, hash }, restored, before), PURPOSE).toString('hex')
  return { id, hash, mac, keyId: cipher.keyId, restored }
}

function markOf(
  { id, hash }: { id: number; hash: string },
  { to, from }: { to: string; from: number },
  before: readonly AuditHead[],
): Buffer {
  const macs = before.map(({ mac }) => mac).join(' ')
  return Buffer.from(`restored to ${to}, without ${from}, ${id}:${hash} after ${macs}`)
}

function isForged(cipher: SecretCipher, signature: SignedRow): boolean {
  if (!cipher.knows(signature.keyId)) return false
  return signature.hash === null || !isMacOf(cipher, { ...signature, hash: signature.hash })
}

function isMacOf(
  cipher: SecretCipher,
  { id, hash, mac, keyId }: AuditSignature & { hash: string },
): boolean {
  const expected = macOf(cipher, { id, hash }, keyId)
  return mac.length === expected.length && timingSafeEqual(mac, expected)
}

function macOf(cipher: SecretCipher, row: { id: number; hash: string }, keyId?: string): Buffer {
  return cipher.mac(Buffer.from(`${row.id}:${row.hash}`), PURPOSE, keyId)
}

function headOf({ id, mac, keyId }: AuditSignature, hash: string): AuditHead {
  return { id, hash, mac: mac.toString('hex'), keyId }
}

export type AuditChecked = {
  /** The first row that was altered; null if none is found. */
  brokenId: number | null
  lastId: number
  /** Hexadecimal. */
  lastHash: string
}

/** A row of the log up to which all rows were found right; a hash of null: none was read. Hexadecimal. */
export type CheckedTo = { id: number; hash: string | null }

/**
 * Checks the rows after the last checked one, a part with each statement, and the log's end.
 *
 * @param options `rowsAtOnce`: how many rows a statement reads; `onStep`: is told of each row up to which the log was
 * found right, before its end
 */
export async function auditCheck(
  db: Queryable,
  after: CheckedTo,
  options: { rowsAtOnce?: number | undefined; onStep?: (to: CheckedTo) => void } = {},
): Promise<AuditChecked> {
  const { rowsAtOnce = ROWS_AT_ONCE, onStep } = options
  for (let from = after; ; ) {
    const { isEnd, ...checked } = await db.one<AuditChecked & { isEnd: boolean }>(
      `select broken_id::integer as "brokenId", last_id::integer as "lastId", encode(last_hash, 'hex') as "lastHash",
         is_end as "isEnd"
       from staff.audit_check($1, coalesce(decode($2, 'hex'), sha256('')), $3)`,
      [from.id, from.hash, rowsAtOnce],
    )
    if (isEnd || checked.brokenId !== null) return checked
    from = { id: checked.lastId, hash: checked.lastHash }
    onStep?.(from)
  }
}

export type AuditSignature = { id: number; mac: Buffer; keyId: string }

/** A signature with the present hash of its row, in hexadecimal; null if the row is missing. */
export type SignedRow = AuditSignature & { hash: string | null }

const SIGNED_ROW = `audit_id::integer as id, mac, key_id as "keyId", encode(hash, 'hex') as hash
  from staff.audit_signature left join staff.audit on audit.id = audit_id`

/** Stores a row's signature, unless the row has changed meanwhile or has a signature. */
async function signRow(db: Queryable, signature: AuditSignature & { hash: string }): Promise<void> {
  await db.query(`select staff.sign_audit($1, decode($2, 'hex'), $3, $4)`, [
    signature.id,
    signature.hash,
    signature.mac,
    signature.keyId,
  ])
}

/** The number of the first of these rows whose hash has changed; null if none has. */
export function firstOtherHash(
  db: Queryable,
  heads: readonly { id: number; hash: string }[],
): Promise<number | null> {
  return db.value<number | null>(
    `select min(head.id) from unnest($1::integer[], $2::text[]) as head (id, hash)
       where not exists (select from staff.audit
         where audit.id = head.id and audit.hash = decode(head.hash, 'hex'))`,
    [heads.map(({ id }) => id), heads.map(({ hash }) => hash)],
  )
}
