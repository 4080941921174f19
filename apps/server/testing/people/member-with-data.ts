/** A member whose account has all kinds of personal data. */
import { addPlayer } from '../database/fixtures.ts'
import type { TestDatabase } from '../database/test-database.ts'

/** By default without money; his name ends with his u. */
export async function addMemberWithData(
  database: TestDatabase,
  { u = 0, passwordHash = 'hash' }: { u?: number; passwordHash?: string } = {},
): Promise<number> {
  const { owner } = database
  const id = await addPlayer(database, { u, name: `mai_tran_${u}` })
  await owner.query(`update accounts.player set password_hash = $2, lang = 'vi' where id = $1`, [
    id,
    passwordHash,
  ])
  await owner.query(
    `insert into accounts.document (player_id, encrypted_number, shown_number, key_id)
     values ($1, 'encrypted', 'A••••1', 'test')`,
    [id],
  )
  await owner.query(
    `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label, bank_name)
     values ($1, 'bank', 'encrypted', '•••• 4242', 'test', 'Mai Tran', 'Bank of Hanoi')`,
    [id],
  )
  await owner.query(`insert into accounts.security_code (player_id, code_hash) values ($1, 'x')`, [
    id,
  ])
  await owner.query(
    `insert into inbox.push_subscription (player_id, endpoint, p256dh, auth, session_hash)
     select id, 'https://push.example/' || username, 'key', 'auth', '' from accounts.player where id = $1`,
    [id],
  )
  await owner.query(
    `insert into inbox.push_choice (player_id, topics) values ($1, '{withdrawal}')`,
    [id],
  )
  return id
}
