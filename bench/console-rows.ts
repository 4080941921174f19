/** Fills a database with what the console lists, in SQL with triggers off: as many rows of each kind. */
import type { Database } from '@sum28/server/src/db/database.ts'

/** Each with the tables whose other indexes are made after the load. */
const LOADS: readonly { tables: readonly string[]; sql: string }[] = [
  {
    // Every other one was invited by the first; one of a thousand is frozen, one of five a visitor.
    tables: ['accounts.player', 'ledger.balance'],
    sql: `with added as (
      insert into accounts.player (id, username, email, email_key, group_id, state, inviter_id, created_at)
        overriding system value
      select n, name, name || '@example.org', name || '@example.org', case n % 5 when 0 then 2 else 1 end,
        case n % 1000 when 0 then 'frozen' else 'active' end, case n % 2 when 0 then 1 end,
        timestamptz '2024-01-01' + n * interval '9 s'
      from generate_series(1, $1::integer) n cross join lateral (select 'p' || lpad(n::text, 9, '0') as name) named
      order by n
      returning id)
    insert into ledger.balance (holder_id, cash) select id, 1000000 from added`,
  },
  {
    tables: ['staff.audit'],
    sql: `insert into staff.audit (id, at, staff_id, action, subject, details, previous_hash, hash)
      select n, timestamptz '2024-01-01' + n * interval '9 s', 1 + n % 20, 'bench.' || n % 40, 'player:' || n % 5000,
        '{}', sha256('before'), sha256('after')
      from generate_series(1, $1::integer) n order by n`,
  },
  {
    // Half of them are of one player.
    tables: ['ledger.posting'],
    sql: `insert into ledger.posting (holder_id, id, booked_on, posted_at, kind, source, destination, amount,
        cash_after, held_after, reference)
      select case n % 2 when 0 then 1 else 1 + n % 5000 end, n, timestamptz '2024-01-01' + n * interval '9 s',
        timestamptz '2024-01-01' + n * interval '9 s', case n % 10 when 0 then 'deposit' else 'stake' end,
        case n % 10 when 0 then 'house:treasury' else 'cash' end,
        case n % 10 when 0 then 'cash' else 'house:game' end, 1000000, 1000000, 0, 'bench:' || n
      from generate_series(1, $1::integer) n order by n`,
  },
  {
    tables: ['bets.bet'],
    sql: `insert into bets.bet (player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids, odds_milli,
        rules_version, stake, total, cash_after, accepted_at, nonce, status, payout, settled_at)
      select case n % 2 when 0 then 1 else 1 + n % 5000 end, n, date '2024-01-01' + n / 9600, 'bench' || n, 1,
        20240101001 + n / 100, 11, '{1}', '{1920}', 1, 1000000, 1000000, 0, at, substr(sha256('n'), 1, 16), 'lost', 0, at
      from generate_series(1, $1::integer) n
        cross join lateral (select timestamptz '2024-01-01' + n * interval '9 s' as at) clock
      order by n`,
  },
  {
    tables: ['withdrawals.withdrawal'],
    sql: `insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, state,
        requested_at, approved_by, decided_at)
      select case n % 2 when 0 then 1 else 1 + n % 5000 end, n, 1, 1000000, at, 0, 'approved', at, 1, at
      from generate_series(1, $1::integer) n
        cross join lateral (select timestamptz '2024-01-01' + n * interval '9 s' as at) clock
      order by n`,
  },
  {
    tables: ['deposits.bank_deposit'],
    sql: `insert into deposits.bank_deposit (player_id, amount, bank_reference, recorded_by, recorded_at, state,
        decided_by, decided_at)
      select 1 + n % 5000, 1000000, 'BENCH' || n, 1, at, 'confirmed', 2, at
      from generate_series(1, $1::integer) n
        cross join lateral (select timestamptz '2024-01-01' + n * interval '9 s' as at) clock
      order by n`,
  },
  {
    // Half of them by bank; one of a thousand waits.
    tables: ['protection.held_deposit'],
    sql: `insert into protection.held_deposit (player_id, amount, reference, because, held_at, state, decided_at)
      select 1 + n % 5000, 1000000, case n % 2 when 0 then 'bank:' else 'usdt:' end || n, 'limit', at,
        case n % 1000 when 500 then 'held' else 'released' end, case n % 1000 when 500 then null else at end
      from generate_series(1, $1::integer) n
        cross join lateral (select timestamptz '2024-01-01' + n * interval '9 s' as at) clock
      order by n`,
  },
  {
    tables: ['console_players.sign'],
    sql: `insert into console_players.sign (player_id, kind, since_day, until_day, facts)
      select n, case n % 2 when 0 then 'nights' else 'chasing_losses' end, '2024-01-01', '2024-01-02', '[]'
      from generate_series(1, $1::integer) n order by n`,
  },
  {
    // Of 400 days, the same number of players on each.
    tables: ['console_start.player_figure'],
    sql: `insert into console_start.player_figure
      select date '2024-01-01' + n % 400, 1 + n / 400, 11, false, 1, 1000000 + n % 977, 900000, 960000
      from generate_series(0, $1::integer - 1) n`,
  },
  {
    tables: ['console_start.day_figure'],
    sql: `insert into console_start.day_figure
      select date '2024-01-01' + day, game, case room when 0 then 0 else game * 10 + room end, false, 10,
        1000000, 900000, 960000, 1e12
      from generate_series(0, 399) day, generate_series(1, 4) game, generate_series(0, 4) room
      where $1::integer > 0`,
  },
]

/** @param rows how many of each kind; the sums by day are always those of 400 days */
export async function fillConsole(owner: Database, rows: number): Promise<void> {
  const client = await owner.pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query('set synchronous_commit = off')
    await client.query('set statement_timeout = 0')
    await client.query(`set maintenance_work_mem = '512MB'`)
    await client.query(
      `insert into staff.member (name, role, password_hash, sealed_totp_secret, totp_key_id)
       select 'member' || n, 'support', 'none', 'none', 'bench' from generate_series(1, 20) n`,
    )
    await client.query(
      `insert into withdrawals.pay_method (player_id, kind, sealed_number, shown_number, key_id, label)
       values (1, 'wallet', 'none', '…', 'bench', 'TRC20')`,
    )
    for (const { tables, sql } of LOADS) {
      const { rows: indexes } = await client.query<{ make: string; drop: string }>(
        `select pg_get_indexdef(indexrelid) as make, 'drop index ' || indexrelid::regclass as drop
         from pg_index where indrelid = any ($1::regclass[])
           and not exists (select from pg_constraint where conindid = indexrelid)`,
        [tables],
      )
      for (const { drop } of indexes) await client.query(drop)
      await client.query(sql, [rows])
      for (const { make } of indexes) await client.query(make.replace(' ON ONLY ', ' ON '))
      for (const table of tables) await client.query(`vacuum analyze ${table}`)
    }
  } finally {
    client.release(true)
  }
}
