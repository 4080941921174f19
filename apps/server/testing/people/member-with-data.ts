/** A member whose account has all kinds of personal data. */
import { addPlayer } from '../database/fixtures.ts'
import type { TestDatabase } from '../database/test-database.ts'
import { changePlayer } from './seated-player.ts'

/** By default without money; his name ends with his u. */
export async function addMemberWithData(
  database: TestDatabase,
  { u = 0 }: { u?: number } = {},
): Promise<number> {
  const { owner } = database
  const id = await addPlayer(database, { u, name: `mai_tran_${u}` })
  await changePlayer(database, id, `lang = 'vi', password_hash = 'hash'`)
  await owner.query(`
    insert into accounts.document (player_id, encrypted_number, shown_number, key_id)
      values (${id}, 'encrypted', 'A••••1', 'test');
    insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label, bank_name)
      values (${id}, 'bank', 'encrypted', '•••• 4242', 'test', 'Mai Tran', 'Bank of Hanoi');
    insert into accounts.security_code (player_id, code_hash) values (${id}, 'x');
    insert into inbox.push_subscription (player_id, endpoint, p256dh, auth, session_hash)
      select id, 'https://push.example/' || username, 'key', 'auth', '' from accounts.player where id = ${id};
    insert into inbox.push_choice (player_id, topics) values (${id}, '{withdrawal}')`)
  return id
}
