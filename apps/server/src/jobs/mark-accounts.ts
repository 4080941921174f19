import type { Database, Queryable } from '#src/db/database.ts'
import { decryptDocument } from '#src/modules/accounts/document.ts'
import type { MarkKind } from '#src/modules/accounts/note-mark.ts'
import { markOf, noteEarlierMarks, unmarkedPlayers } from '#src/modules/protection/likeness.ts'
import { decryptFacts, type EncryptedFacts, marksOf } from '#src/modules/withdrawals/identity.ts'
import { decryptNumber, payeeMark, payMethodsEver } from '#src/modules/withdrawals/pay-methods.ts'
import { DecryptionFailed, type SecretCipher } from '#src/secrets/secret-cipher.ts'

const BATCH = 200

type Recognised = { playerId: number; kind: MarkKind; value: string }

/**
 * Makes the marks of accounts with the present SECRET_KEY where they are not made with it yet. A number that cannot
 * be decrypted is skipped: `reencryptNumbers` reports it.
 *
 * @returns how many accounts were marked
 */
export async function markAccounts(
  { db, cipher }: { db: Database; cipher: SecretCipher },
  signal?: AbortSignal,
): Promise<number> {
  const { keyId } = cipher
  for (let marked = 0; ; ) {
    if (signal?.aborted) return marked
    const players = await unmarkedPlayers(db, { keyId, limit: BATCH })
    if (players.length === 0) return marked
    const recognised = [
      ...(await db.query<Recognised>(
        `select id as "playerId", 'email' as kind, email_key::text as value from accounts.player
         where id = any ($1) and email_key is not null`,
        [players],
      )),
      ...(await documentNumbers({ db, cipher }, players)),
      ...(await payees({ db, cipher }, players)),
      ...(await persons({ db, cipher }, players)),
    ]
    const marks = recognised.map(({ playerId, ...mark }) => ({
      playerId,
      kind: mark.kind,
      hash: markOf(cipher, mark),
    }))
    await db.transaction((tx) => noteEarlierMarks(tx, { cipher, players, marks }))
    marked += players.length
  }
}

async function documentNumbers(
  { db, cipher }: { db: Queryable; cipher: SecretCipher },
  players: readonly number[],
): Promise<Recognised[]> {
  const rows = await db.query<{ playerId: number; encryptedNumber: Buffer; keyId: string }>(
    `select player_id as "playerId", encrypted_number as "encryptedNumber", key_id as "keyId"
     from accounts.document where player_id = any ($1)`,
    [players],
  )
  return rows.flatMap((row) => {
    const value = opened(cipher, row.keyId, () => decryptDocument(cipher, row))
    return value === null ? [] : [{ playerId: row.playerId, kind: 'document', value }]
  })
}

async function payees(
  { db, cipher }: { db: Queryable; cipher: SecretCipher },
  players: readonly number[],
): Promise<Recognised[]> {
  const rows = await payMethodsEver(db, players)
  return rows.flatMap((row) => {
    const value = opened(cipher, row.keyId, () => decryptNumber(cipher, row.playerId, row))
    return value === null ? [] : [{ playerId: row.playerId, ...payeeMark(row, value) }]
  })
}

async function persons(
  { db, cipher }: { db: Queryable; cipher: SecretCipher },
  players: readonly number[],
): Promise<Recognised[]> {
  const rows = await db.query<{ playerId: number } & EncryptedFacts>(
    `select player_id as "playerId", encrypted_facts as facts, key_id as "keyId"
     from withdrawals.identity where player_id = any ($1)`,
    [players],
  )
  return rows.flatMap(({ playerId, ...row }) => {
    const facts = opened(cipher, row.keyId, () => decryptFacts(cipher, playerId, row))
    return facts === null ? [] : marksOf(facts).map((mark) => ({ playerId, ...mark }))
  })
}

function opened<T>(cipher: SecretCipher, keyId: string, open: () => T): T | null {
  if (!cipher.knows(keyId)) return null
  try {
    return open()
  } catch (error) {
    if (error instanceof DecryptionFailed) return null
    throw error
  }
}
