/** Encrypts secrets again after a change of the key, so that earlier keys can be removed. */
import { isRowRefused, type Queryable } from '#src/db/database.ts'
import { DecryptionFailed, type SecretCipher } from '#src/secrets/secret-cipher.ts'

/** A column of encrypted secrets; its name is by which the log tells of it. */
export type SecretColumn = {
  readonly name: string
  readonly table: string
  /** A unique integer, in whose order rows are read. */
  readonly id: string
  readonly secret: string
  readonly keyId: string
  /** The column of keys that the row was under before, if it comes back under none of them. */
  readonly pastKeys?: string
  /** What the purpose of the encryption names besides the id. */
  readonly owner: string
  readonly purposeOf: (row: { id: number; owner: string }) => string
}

export type Reencrypted = {
  reencrypted: number
  /** Keys that are not known, and how many rows need each. */
  missing: { keyId: string; rows: number }[]
  /** Rows that cannot be decrypted although their key is known, since they were altered, or that the database refuses. */
  broken: { kind: string; id: number }[]
}

const BATCH = 200

/**
 * Encrypts the secrets of a column that have an earlier key with the present one. A row whose key is missing, that cannot be
 * decrypted, or that the database refuses, stays as it is and blocks no other; so does one that was under the present key
 * before and comes back under none. An empty one has no secret any more.
 */
export async function reencryptColumn(
  { db, cipher }: { db: Queryable; cipher: SecretCipher },
  { name, table, id, secret, keyId, pastKeys, owner, purposeOf }: SecretColumn,
): Promise<Reencrypted> {
  const broken: Reencrypted['broken'] = []
  let reencrypted = 0
  type Row = { id: number; owner: string; sealed: Buffer; key: string }
  const isNew = pastKeys === undefined ? 'true' : `$1 <> all (${pastKeys})`
  for (let after = 0; ; ) {
    const rows = await db.query<Row>(
      `select ${id} as id, ${owner}::text as owner, ${secret} as sealed, ${keyId} as key from ${table}
       where ${keyId} <> $1 and ${keyId} = any ($2) and ${secret} <> '' and ${isNew}
         and ${id} > $3 order by ${id} limit $4`,
      [cipher.keyId, cipher.keyIds, after, BATCH],
    )
    for (const row of rows) {
      const { id: rowId, sealed } = row
      try {
        const purpose = purposeOf(row)
        const again = cipher.encrypt(cipher.decrypt(sealed, purpose, row.key), purpose)
        // Unless it has been changed meanwhile.
        await db.query(
          `update ${table} set ${secret} = $2, ${keyId} = $3 where ${id} = $1 and ${secret} = $4`,
          [rowId, again, cipher.keyId, sealed],
        )
        reencrypted += 1
      } catch (error) {
        if (!(error instanceof DecryptionFailed) && !isRowRefused(error)) throw error
        broken.push({ kind: name, id: rowId })
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) break
    after = last.id
  }
  const missing = await db.query<{ keyId: string; rows: number }>(
    `select ${keyId} as "keyId", count(*)::integer as rows from ${table}
     where ${keyId} <> all ($1) and ${secret} <> '' group by 1`,
    [cipher.keyIds],
  )
  return { reencrypted, missing, broken }
}
