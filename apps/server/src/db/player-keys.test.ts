/** The keys of players' tables; a distributed database would use them to keep a player's rows on one node (0070). */
import { expect, it } from 'vitest'
import { createTestDatabase } from '#testing/database/test-database.ts'

/**
 * Keys of players' tables that do not begin with the player: in a distributed database each would be unique in one
 * shard only, or a lookup would have to ask all shards.
 */
const OTHER_KEYS = {
  // Unique in the whole house.
  'accounts.player': ['email_key', 'username_key'],
  'accounts.uploaded_picture': ['name'],
  'deposits.address': ['address', 'derivation_index'],
  'deposits.transfer': ['tx_id, log_index'],
  'protection.held_deposit': ['id', 'reference', 'refund_key'],
  'robots.robot': ['room_id, seat'],
  'withdrawals.withdrawal': ['id', 'payout_key', 'payout_key, payout_log'],
  // Looked up before the player is known.
  'accounts.passkey': ['id', 'credential_id'],
  'accounts.recovery_code': ['code_hash'],
  'accounts.remembered_device': ['secret_hash'],
  'accounts.security_link': ['token_hash'],
  'accounts.session': ['token_hash'],
  // Few rows, written by staff or once a day.
  'accounts.freezing': ['id'],
  'console_players.contact': ['id'],
  'console_players.night': ['day, player_id'],
  'console_players.note': ['id'],
  'console_players.sign': ['id'],
  'console_start.player_figure': ['game_day, player_id, room_id'],
  'disclosure.owed_leaf': ['number, position'],
  'inbox.push_subscription': ['endpoint', 'id'],
  'own_account.data_file': ['id'],
  'protection.exclusion': ['id'],
  'staff.proposal': ['id', 'staff.bank_transfer_once'],
  'withdrawals.identity_picture': ['id'],
  'withdrawals.pay_method': ['id'],
} satisfies Record<string, readonly string[]>

it('the keys of a player’s tables begin with the player, but for those that are named here', async () => {
  const { owner } = await createTestDatabase()
  const keys = await owner.query<{ table: string; columns: string }>(
    `select nspname || '.' || relname as table,
       -- The name of an index without columns, but with expressions.
       coalesce((select string_agg(attname, ', ' order by position)
        from unnest(indkey::int2[]) with ordinality as key (attnum, position)
          join pg_attribute on attrelid = indrelid and pg_attribute.attnum = key.attnum),
        indexrelid::regclass::text) as columns
     from pg_index join pg_class on pg_class.oid = indrelid
       join pg_namespace on pg_namespace.oid = relnamespace
     where indisunique and not relispartition and (
       (nspname, relname) = ('accounts', 'player') or exists (
         select from pg_attribute
         where attrelid = indrelid and attname in ('player_id', 'holder_id') and not attisdropped))`,
  )
  const ofPlayer = (table: string) =>
    table === 'accounts.player' ? /^id\b/ : /^(player|holder)_id\b/
  const others = keys
    .filter(({ table, columns }) => !ofPlayer(table).test(columns))
    .map(({ table, columns }) => `${table}: ${columns}`)
  const named = Object.entries(OTHER_KEYS).flatMap(([table, columns]) =>
    columns.map((each) => `${table}: ${each}`),
  )
  expect(keys.length).toBeGreaterThan(50)
  expect(others.toSorted()).toEqual(named.toSorted())
})
