/** The SQL of pay methods. */
import { only, type Queryable, type Transaction } from '#src/db/database.ts'

export type PayMethodKind = 'bank' | 'wallet'

export type PayMethod = {
  id: number
  kind: PayMethodKind
  sealedNumber: Buffer
  keyId: string
  /** A card's last four digits, masked; a wallet's whole address. */
  shownNumber: string
  /** Bank: the holder. Wallet: its type. */
  label: string
  bankName: string
  branchCode: string
  branchName: string
}

const PAY_METHOD = `id, kind, sealed_number as "sealedNumber", key_id as "keyId",
  shown_number as "shownNumber", label, bank_name as "bankName", branch_code as "branchCode",
  branch_name as "branchName"`

/** A player's present pay methods, the bank card first. */
export function payMethodsOf(db: Queryable, playerId: number): Promise<PayMethod[]> {
  return db.query<PayMethod>(
    `select ${PAY_METHOD} from withdrawals.pay_method
     where player_id = $1 and replaced_at is null order by kind`,
    [playerId],
  )
}

/** A pay method by its id, also one that was replaced: a withdrawal may name it. */
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

/** Lets changes of one player's pay methods wait for each other until the transaction ends. */
export async function lockPayMethods(tx: Transaction, playerId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('pay methods'), $1)`, [playerId])
}

/** Puts a pay method in the place of the one of its kind. */
export async function replacePayMethod(
  tx: Transaction,
  method: Omit<PayMethod, 'id'> & { playerId: number; note: string },
): Promise<number> {
  await tx.query(
    `update withdrawals.pay_method set replaced_at = app.now()
     where player_id = $1 and kind = $2 and replaced_at is null`,
    [method.playerId, method.kind],
  )
  const { id } = only(
    await tx.query<{ id: number }>(
      `insert into withdrawals.pay_method (player_id, kind, sealed_number, key_id, shown_number,
         label, bank_name, branch_code, branch_name, note)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
      [
        method.playerId,
        method.kind,
        method.sealedNumber,
        method.keyId,
        method.shownNumber,
        method.label,
        method.bankName,
        method.branchCode,
        method.branchName,
        method.note,
      ],
    ),
  )
  return id
}

/** Pay methods that are sealed with another key than this, also replaced ones. */
export function payMethodsNotSealedWith(
  db: Queryable,
  keyId: string,
  limit: number,
): Promise<(PayMethod & { playerId: number })[]> {
  return db.query(
    `select ${PAY_METHOD}, player_id as "playerId" from withdrawals.pay_method
     where key_id <> $1 order by id limit $2`,
    [keyId, limit],
  )
}

export async function resealPayMethod(
  db: Queryable,
  { id, sealedNumber, keyId }: { id: number; sealedNumber: Buffer; keyId: string },
): Promise<void> {
  await db.query(
    `update withdrawals.pay_method set sealed_number = $2, key_id = $3 where id = $1`,
    [id, sealedNumber, keyId],
  )
}
