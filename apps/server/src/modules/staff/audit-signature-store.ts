/** The SQL that checks the audit log's chain, and of its signatures. */
import { only, type Queryable } from '#src/db/database.ts'

export type AuditChecked = {
  /** The first row that was altered; null if none is found. */
  brokenId: number | null
  lastId: number
  /** Hexadecimal. */
  lastHash: string
}

/** Checks the rows after the last checked one, the shown rows, and the log's end. */
export async function auditCheck(
  db: Queryable,
  after: { id: number; hash: string | null },
  shown: readonly { id: number }[],
): Promise<AuditChecked> {
  const ids = shown.map(({ id }) => id)
  return only(
    await db.query<AuditChecked>(
      `select broken_id::integer as "brokenId", last_id::integer as "lastId", encode(last_hash, 'hex') as "lastHash"
       from staff.audit_check($1, coalesce(decode($2, 'hex'), sha256('')), $3, $4)`,
      [
        after.id,
        after.hash,
        ids.length > 0 ? Math.min(...ids) : null,
        ids.length > 0 ? Math.max(...ids) : null,
      ],
    ),
  )
}

export type AuditSignature = { id: number; mac: Buffer; keyId: string }

/** A signature with the present hash of its row, in hexadecimal; null if the row is missing. */
export type SignedRow = AuditSignature & { hash: string | null }

const SIGNED_ROW = `audit_id::integer as id, mac, key_id as "keyId", encode(hash, 'hex') as hash
  from staff.audit_signature left join staff.audit on audit.id = audit_id`

/** The latest signature of the last signed row. */
export async function lastSignature(db: Queryable): Promise<SignedRow | undefined> {
  const [row] = await db.query<SignedRow>(
    `select ${SIGNED_ROW} order by audit_id desc, signed_at desc limit 1`,
  )
  return row
}

/** Signatures in the order of their rows, after a given one. */
export function signaturesAfter(
  db: Queryable,
  { after, limit }: { after: Pick<AuditSignature, 'id' | 'keyId'>; limit: number },
): Promise<SignedRow[]> {
  return db.query<SignedRow>(
    `select ${SIGNED_ROW} where (audit_id, key_id) > ($1, $2) order by audit_id, key_id limit $3`,
    [after.id, after.keyId, limit],
  )
}

/** Stores a row's signature, unless the row has changed meanwhile or has a signature. */
export async function signRow(
  db: Queryable,
  signature: AuditSignature & { hash: string },
): Promise<void> {
  await db.query(`select staff.sign_audit($1, decode($2, 'hex'), $3, $4)`, [
    signature.id,
    signature.hash,
    signature.mac,
    signature.keyId,
  ])
}

/** The number of the first of these rows whose hash has changed; null if none has. */
export async function firstOtherHash(
  db: Queryable,
  heads: readonly { id: number; hash: string }[],
): Promise<number | null> {
  const { id } = only(
    await db.query<{ id: number | null }>(
      `select min(head.id) as id from unnest($1::integer[], $2::text[]) as head (id, hash)
       where not exists (select from staff.audit
         where audit.id = head.id and audit.hash = decode(head.hash, 'hex'))`,
      [heads.map(({ id }) => id), heads.map(({ hash }) => hash)],
    ),
  )
  return id
}
