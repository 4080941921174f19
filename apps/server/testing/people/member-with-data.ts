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
  await changePlayer(
    database,
    id,
    `lang = 'vi', password_hash = 'hash', avatar = '/uploads/mai.webp'`,
  )
  // In place of hashes, which no two members share.
  const own = `'${id}'`
  await owner.query(`
    insert into accounts.document (player_id, encrypted_number, shown_number, key_id)
      values (${id}, 'encrypted', 'A••••1', 'test');
    insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label, bank_name)
      values (${id}, 'bank', 'encrypted', '•••• 4242', 'test', 'Mai Tran', 'Bank of Hanoi');
    insert into withdrawals.identity (player_id, state, version, encrypted_facts, key_id, sent_at)
      values (${id}, 'waiting', 1, 'encrypted', 'test', app.now());
    insert into withdrawals.identity_picture (player_id, encrypted_content, key_id, added_at)
      values (${id}, 'encrypted', 'test', app.now());
    insert into accounts.security_code (player_id, code_hash) values (${id}, 'x');
    insert into accounts.session (token_hash, player_id, net_at_start, device, network)
      values (${own}, ${id}, 0, 'Mai’s browser', '192.0.2.28');
    insert into accounts.remembered_device (secret_hash, player_id, expires_at) values (${own}, ${id}, 'infinity');
    insert into accounts.known_device (player_id, secret_hash) values (${id}, ${own});
    insert into accounts.known_network (player_id, network_hash) values (${id}, ${own});
    insert into accounts.security_link (token_hash, player_id, old_email) values (${own}, ${id}, 'mai@old.example');
    insert into accounts.second_factor (player_id) values (${id});
    insert into accounts.recovery_code (code_hash, player_id) values (${own}, ${id});
    insert into accounts.email_code (email_key, event, code_hash, expires_at)
      select email_key, 'resetpwd', '', app.now() from accounts.player where id = ${id};
    insert into accounts.passkey (player_id, credential_id, public_key, user_handle, sign_count, transports, name)
      values (${id}, ${own}, '', sha256(${own}), 0, '{}', 'Mai’s phone');
    insert into accounts.uploaded_picture (player_id, name, content) values (${id}, md5(${own}) || '.webp', '');
    insert into protection.mark (player_id, kind, hash, key_id, noted_at)
      values (${id}, 'email', sha256(${own}), 'test', app.now());
    insert into inbox.message (player_id, kind, facts)
      values (${id}, 'staff_message', '{"text": "Dear Mrs. Tran"}');
    insert into inbox.push_subscription (player_id, endpoint, p256dh, auth, session_hash)
      select id, 'https://push.example/' || username, 'key', 'auth', '' from accounts.player where id = ${id};
    insert into inbox.push_choice (player_id, topics) values (${id}, '{withdrawal}');
    insert into content.announcement_reader (player_id, listed_at) values (${id}, app.now());
    insert into own_account.data_file (player_id) values (${id});
    insert into app.request_key (owner, key, route, input_hash, result)
      values ('player:' || ${id}, 'x', '/api', '', '{"name": "Mai Tran"}');
    select protection.log_sign_in_change(${id}, 'passkey_added', 'Mai’s phone');
    select protection.log_sign_in_change(${id}, 'email_changed', 'm***@tran.example');
    select protection.hold_under_age(${id}, 2011);
    select protection.set_proved_adult(${id}, true)`)
  return id
}
