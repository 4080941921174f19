/** The SQL that checks the audit log's chain, and of its seals. */
import { only, type Queryable } from '#src/db/database.ts'

export type AuditChecked = {
  /** The first row that was altered; null if none is found. */
  place: number | null
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
      `select place::integer, last_id::integer as "lastId", encode(last_hash, 'hex') as "lastHash"
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

export type Seal = { id: number; mac: Buffer; keyId: string }

/** A seal with the present hash of its row, in hexadecimal; null if the row is missing. */
export type SealedRow = Seal & { hash: string | null }

const SEALED_ROW = `audit_id::integer as id, mac, key_id as "keyId", encode(hash, 'hex') as hash
  from staff.audit_seal left join staff.audit on audit.id = audit_id`

/** The latest seal of the last sealed row. */
export async function lastSeal(db: Queryable): Promise<SealedRow | undefined> {
  const [row] = await db.query<SealedRow>(
    `select ${SEALED_ROW} order by audit_id desc, sealed_at desc limit 1`,
  )
  return row
}

/** Seals in the order of their rows, after a given one. */
export function sealsAfter(
  db: Queryable,
  { after, limit }: { after: Pick<Seal, 'id' | 'keyId'>; limit: number },
): Promise<SealedRow[]> {
  return db.query<SealedRow>(
    `select ${SEALED_ROW} where (audit_id, key_id) > ($1, $2) order by audit_id, key_id limit $3`,
    [after.id, after.keyId, limit],
  )
}

/** Stores a row's seal, unless the row has changed meanwhile or has a seal. */
export async function sealRow(db: Queryable, seal: Seal & { hash: string }): Promise<void> {
  await db.query(`select staff.seal_audit($1, decode($2, 'hex'), $3, $4)`, [
    seal.id,
    seal.hash,
    seal.mac,
    seal.keyId,
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
