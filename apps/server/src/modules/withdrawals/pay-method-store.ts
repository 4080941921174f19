/** The SQL of pay methods. */
import { only, type Queryable, type Transaction } from '#src/db/database.ts'
import type { KeyMissing, ReencryptionRange } from '#src/db/reencryption.ts'

export type PayMethodKind = 'bank' | 'wallet'

export type PayMethod = {
  id: number
  kind: PayMethodKind
  encryptedNumber: Buffer
  keyId: string
  /** A card's last four digits, the rest masked; a wallet's whole address. */
  shownNumber: string
  /** Bank: the holder. Wallet: its type. */
  label: string
  bankName: string
  branchCode: string
  branchName: string
  /** The player's own note. */
  note: string
}

const PAY_METHOD = `id, kind, encrypted_number as "encryptedNumber", key_id as "keyId",
  note, shown_number as "shownNumber", label, bank_name as "bankName", branch_code as "branchCode",
  branch_name as "branchName"`

/** A player's present pay methods, the wallet first. */
export function payMethodsOf(db: Queryable, playerId: number): Promise<PayMethod[]> {
  return db.query<PayMethod>(
    `select ${PAY_METHOD} from withdrawals.pay_method
     where player_id = $1 and replaced_at is null order by kind desc`,
    [playerId],
  )
}

/** A pay method by its id, also a replaced one: a withdrawal may refer to it. */
export async function payMethodById(
  db: Queryable,
  id: number,
): Promise<(PayMethod & { playerId: number }) | undefined> {
  const [row] = await db.query<PayMethod & { playerId: number }>(
    `select ${PAY_METHOD}, player_id as "playerId" from withdrawals.pay_method where id = $1`,
    [id],
  )
  return row
}

/** All pay methods that these players have had, including replaced ones. */
export function payMethodsEver(
  db: Queryable,
  players: readonly number[],
): Promise<(PayMethod & { playerId: number })[]> {
  return db.query(
    `select ${PAY_METHOD}, player_id as "playerId" from withdrawals.pay_method where player_id = any ($1)`,
    [players],
  )
}

/** Serialises changes of one player's pay methods until the transaction ends. */
export async function lockPayMethods(tx: Transaction, playerId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('pay methods'), $1)`, [playerId])
}

/** Reserves the id of a new pay method: its number is encrypted for that id only. */
export async function nextPayMethodId(tx: Transaction): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `select nextval('withdrawals.pay_method_id_seq')::integer as id`,
  )
  return only(rows).id
}

/** Replaces the player's pay method of the same kind. */
export async function replacePayMethod(
  tx: Transaction,
  method: PayMethod & { playerId: number },
): Promise<void> {
  await tx.query(
    `update withdrawals.pay_method set replaced_at = app.now()
     where player_id = $1 and kind = $2 and replaced_at is null`,
    [method.playerId, method.kind],
  )
  await tx.query(
    `insert into withdrawals.pay_method (id, player_id, kind, encrypted_number, key_id,
       shown_number, label, bank_name, branch_code, branch_name, note)
     overriding system value values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      method.id,
      method.playerId,
      method.kind,
      method.encryptedNumber,
      method.keyId,
      method.shownNumber,
      method.label,
      method.bankName,
      method.branchCode,
      method.branchName,
      method.note,
    ],
  )
}

/** Changes the player's note on a method, and nothing else. */
export async function setPayMethodNote(
  tx: Transaction,
  { id, note }: { id: number; note: string },
): Promise<void> {
  await tx.query(`update withdrawals.pay_method set note = $2 where id = $1`, [id, note])
}

/**
 * Pay methods to encrypt again, including replaced ones: encrypted with another key. Those of an anonymised account have no number any more.
 */
export function payMethodsToReencrypt(
  db: Queryable,
  { keyId, decryptable, after, limit }: ReencryptionRange,
): Promise<(PayMethod & { playerId: number })[]> {
  return db.query(
    `select ${PAY_METHOD}, player_id as "playerId" from withdrawals.pay_method
     where key_id <> $1 and key_id = any ($2) and id > $3 and encrypted_number <> ''
     order by id limit $4`,
    [keyId, decryptable, after, limit],
  )
}

/** How many pay methods are encrypted with each key that is not in this list. */
export function payMethodsOfOtherKeys(
  db: Queryable,
  decryptable: readonly string[],
): Promise<KeyMissing[]> {
  return db.query(
    `select key_id as "keyId", count(*)::integer as rows from withdrawals.pay_method
     where key_id <> all ($1) and encrypted_number <> '' group by key_id`,
    [decryptable],
  )
}

/** Stores a method's new encryption; does nothing if another process has done so meanwhile. */
export async function reencryptPayMethod(
  db: Queryable,
  row: Pick<PayMethod, 'id' | 'encryptedNumber' | 'keyId'> & { before: Buffer },
): Promise<void> {
  await db.query(
    `update withdrawals.pay_method set encrypted_number = $2, key_id = $3
     where id = $1 and encrypted_number = $4`,
    [row.id, row.encryptedNumber, row.keyId, row.before],
  )
}
