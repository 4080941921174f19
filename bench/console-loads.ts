/**
 * What the console's lists are filled with. What a house has most of has all rows: players, the log, postings, bets,
 * withdrawals, deposits on chain, a day's figures of a player. Others have a tenth, a hundredth or less, for people
 * of staff decide each of them, or write it. Rows are made in the order of their numbers: a series has it.
 */

/** How many rows a kind has, and how they are shared out. */
export type Size = {
  rows: number
  /** Every so manyth row is of a rare kind or state: one of a thousand, but thirty at the least. */
  rare: number
  /** How many are rare. */
  rares: number
  /** Players who share the rows: each has two thousand of ten million. */
  owners: number
  /** Seconds from one row to the next: all of them together take 1,041 days. */
  step: number
}

export type Load = {
  table: string
  /** How many times fewer rows than of the largest. */
  share?: number
  /** How many rows at the most. */
  most?: number
  /** How many rows at the least, where that is not a thousand. */
  least?: number
  /** Whether it is made of the rows of other tables, and after them. */
  second?: boolean
  sql: (size: Size) => string
}

/** When a row came about. */
const AT = ({ step }: Size) => `timestamptz '2024-01-01' + n * interval '${step} s'`

/** Each row's number, with when it came about. */
const EACH = (size: Size) =>
  `from generate_series(1, ${size.rows}) n cross join lateral (select ${AT(size)} as at) clock`

/** The players of half of the rows: those with rows of their own, and those with a withdrawal that waits. */
const PLAYER = ({ owners, rares }: Size) => `1 + n % ${owners + rares}`

export const LOADS: readonly Load[] = [
  {
    // Names are in no order. One of a thousand is frozen, one of a hundred closed, one of five a visitor; the first
    // invited every other.
    table: 'accounts.player',
    sql: (
      size,
    ) => `insert into accounts.player (id, username, email, email_key, group_id, state, closed_at,
        inviter_id, created_at) overriding system value
      select n, name, name || '@example.org', name || '@example.org',
        case n % 5 when 0 then 2 else 1 end, state, case state when 'closed' then at end, case n % 2 when 0 then 1 end, at
      ${EACH(size)} cross join lateral (select 'p' || lpad((n * 387420489::bigint % 1000000007)::text, 9, '0') as name,
        case when n % ${size.rare} = 0 then 'frozen' when n % 100 = 7 then 'closed' else 'active' end as state) named`,
  },
  {
    // Half of them are of one player. Every tenth is a deposit.
    table: 'ledger.posting',
    sql: (
      size,
    ) => `insert into ledger.posting (holder_id, id, booked_on, posted_at, kind, source, destination, amount,
        cash_after, held_after, reference)
      select case n % 2 when 0 then 1 else ${PLAYER(size)} end, n, at, at,
        case n % 10 when 5 then 'deposit' else 'stake' end, case n % 10 when 5 then 'house:treasury' else 'cash' end,
        case n % 10 when 5 then 'cash' else 'house:game' end, 1000000, 1000000, 0, 'bench:' || n
      ${EACH(size)}`,
  },
  {
    // Half of them are of one player.
    table: 'bets.bet',
    sql: (
      size,
    ) => `insert into bets.bet (player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids,
        odds_milli, rules_version, stake, total, cash_after, accepted_at, nonce, could_pay, status, payout, settled_at)
      select case n % 2 when 0 then 1 else ${PLAYER(size)} end, n, at, to_char(at, 'YYYYMMDD') || lpad(n::text, 8, '0'),
        1, 20240101001 + n / 100, 11, '{1}', '{1920}', 1, 1000000, 1000000, 0, at, '\\x00112233445566778899aabbccddeeff',
        1920000, 'lost', 0, at
      ${EACH(size)}`,
  },
  {
    table: 'staff.audit',
    sql: (
      size,
    ) => `insert into staff.audit (id, at, staff_id, action, subject, details, previous_hash, hash)
      select n, at, case when n % ${size.rare} = 0 then 21 else 1 + n % 20 end,
        case when n % ${size.rare} = 1 then 'bench.rare' else 'bench.' || n / 20 % 40 end, 'player:' || n % ${size.owners},
        '{}', sha256('before'), sha256('after')
      ${EACH(size)}`,
  },
  {
    // Half of them are of one player. The last wait, each of a player of its own.
    table: 'withdrawals.withdrawal',
    sql: (
      size,
    ) => `insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, state,
        requested_at, approved_by, rejected_by, reject_reason, decided_at, payout_reference, payout_key, payout_recorded_by,
        paid_at, return_proposed_by, return_proposed_at, return_reason, returned_by, returned_at)
      select player, n, player, 1000000, at, 0, case kind when 'returning' then 'approved' else kind end, at,
        case when kind not in ('waiting', 'rejected') then 1 end,
        case kind when 'rejected' then 1 end, case kind when 'rejected' then 'no' end,
        case when kind <> 'waiting' then at end,
        case when paid then 'P' || n end, case when paid then 'p' || n end, case when paid then 2 end, case when paid then at end,
        case when returns then 1 end, case when returns then at end, case when returns then 'gone' end,
        case kind when 'returned' then 2 end, case kind when 'returned' then at end
      ${EACH(size)} cross join lateral (select case when n > ${size.rows - size.rares} then 'waiting'
          when n % ${size.rare} = 1 then 'returned' when n % ${size.rare} = 2 then 'returning'
          when n % 10 = 3 then 'rejected' else 'approved' end as kind) kinds
        cross join lateral (select kind in ('returned', 'returning') as returns,
          kind = 'approved' and n < ${size.rows - 2 * size.rares} as paid,
          case when kind = 'waiting' then ${size.owners + size.rows} - n + 1 when n % 2 = 0 then 1
            else 1 + n % ${size.owners} end as player) parts`,
  },
  {
    // One of a thousand belongs to nobody.
    table: 'deposits.transfer',
    sql: (
      size,
    ) => `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount,
        player_id, credited_at)
      select repeat(md5(n::text), 2), 0, n, at, 'from', 'to', 1000000,
        case when n % ${size.rare} <> 1 then 1 + n % ${size.owners} end, case when n % ${size.rare} <> 1 then at end
      ${EACH(size)}`,
  },
  {
    // Of 400 days, the same number of players on each.
    table: 'console_start.player_figure',
    sql: ({ rows }) => `insert into console_start.player_figure
      select date '2024-01-01' + n % 400, 1 + n / 400, 11, false, 1, 1000000 + n % 977, 900000, 960000
      from generate_series(0, ${rows - 1}) n`,
  },
  {
    table: 'ledger.balance',
    sql: ({ rows }) =>
      `insert into ledger.balance (holder_id, cash) select n, 1000000 from generate_series(1, ${rows}) n`,
  },
  {
    table: 'withdrawals.pay_method',
    share: 10,
    sql: ({
      rows,
    }) => `insert into withdrawals.pay_method (player_id, kind, sealed_number, shown_number, key_id, label)
      select n, 'wallet', 'none', '…', 'bench', 'TRC20' from generate_series(1, ${rows}) n`,
  },
  {
    table: 'deposits.address',
    share: 10,
    sql: ({ rows }) =>
      `insert into deposits.address (player_id, address) select n, 'T' || n from generate_series(1, ${rows}) n`,
  },
  {
    // The last were recorded just now.
    table: 'deposits.bank_deposit',
    share: 10,
    sql: (
      size,
    ) => `insert into deposits.bank_deposit (player_id, amount, bank_reference, recorded_by, recorded_at, state,
        decided_by, decided_at, refuse_reason)
      select 1 + n % ${size.owners}, 1000000, 'BENCH' || n, 1, at, kind, case when kind <> 'recorded' then 2 end,
        case when kind <> 'recorded' then at end, case kind when 'refused' then 'no' end
      ${EACH(size)} cross join lateral (select case when n > ${size.rows - size.rares} then 'recorded'
        when n % ${size.rare} = 1 then 'refused' else 'confirmed' end as kind) kinds`,
  },
  {
    // Half of them by bank; one of a thousand waits, and half of these are to be returned.
    table: 'protection.held_deposit',
    share: 10,
    sql: (
      size,
    ) => `insert into protection.held_deposit (player_id, amount, reference, because, held_at, state,
        return_proposed_by, return_proposed_at, decided_by, decided_at, return_reference, return_key)
      select 1 + n % ${size.owners}, 1000000, case n % 2 when 0 then 'bank:' else 'usdt:' end || n, 'limit', at, kind,
        case when returns then 1 end, case when returns then at end,
        case kind when 'returned' then 2 end, case when kind <> 'held' then at end,
        case kind when 'returned' then 'R' || n end, case kind when 'returned' then 'r' || n end
      ${EACH(size)} cross join lateral (select case n % ${size.rare} when 0 then 'held' when 1 then 'returned'
          else 'released' end as kind) kinds
        cross join lateral (select kind = 'returned' or kind = 'held' and n / ${size.rare} % 2 = 0 as returns) parts`,
  },
  {
    // One of ten accounts looks like another one; of these one of a hundred is to be decided.
    table: 'protection.exclusion',
    share: 10,
    sql: (
      size,
    ) => `insert into protection.exclusion (player_id, kind, began_at, ends_at, like_player, like_in, decided_by,
        decided_at, decision, decide_reason)
      select 1 + n % ${size.owners}, case when alike then 'likeness' else 'time_out' end, at,
        case when not alike then at + interval '1 day' end, case when alike then 1 + (n + 7) % ${size.rows} end,
        case when alike then 'device' end, case when decided then 1 end, case when decided then at end,
        case when decided then case when n % 40 = 0 then 'confirmed' else 'released' end end,
        case when decided then 'seen' end
      ${EACH(size)} cross join lateral (select n % 10 = 0 as alike, n % 10 = 0 and n <= ${size.rows - 10 * size.rares} as decided) parts`,
  },
  {
    table: 'console_players.sign',
    share: 10,
    sql: (size) => `insert into console_players.sign (player_id, kind, since_day, until_day, facts)
      select n, case when n % ${size.rare} = 0 then 'limits_raised' when n % 2 = 0 then 'nights' else 'chasing_losses' end,
        '2024-01-01', '2024-01-02', '[]'
      from generate_series(1, ${size.rows}) n`,
  },
  {
    table: 'wallet.adjustment',
    share: 10,
    sql: (
      size,
    ) => `insert into wallet.adjustment (player_id, kind, amount, reason, state, proposed_by, proposed_at, decided_by,
        decided_at, refuse_reason)
      select 1 + n % ${size.owners}, case when n % ${size.rare} = 0 then 'debit' else 'bonus' end, 1000000, 'bench', kind, 1, at,
        case when kind <> 'proposed' then 2 end, case when kind <> 'proposed' then at end,
        case kind when 'refused' then 'no' end
      ${EACH(size)} cross join lateral (select case when n > ${size.rows - size.rares} then 'proposed'
        when n % ${size.rare} = 1 then 'refused' else 'confirmed' end as kind) kinds`,
  },
  {
    table: 'console_players.note',
    share: 10,
    sql: (size) => `insert into console_players.note (player_id, text, written_by, written_at)
      select 1 + n % ${size.owners}, 'a note', 1, at ${EACH(size)}`,
  },
  {
    table: 'console_players.contact',
    share: 10,
    sql: (
      size,
    ) => `insert into console_players.contact (player_id, day, channel, text, written_by, written_at)
      select 1 + n % ${size.owners}, at, 'phone', 'a call', 1, at ${EACH(size)}`,
  },
  {
    // A million are 250,000 rounds of each game: two and a half years. The last twelve are not over.
    table: 'rounds.round',
    share: 10,
    sql: ({
      rows,
      rare,
    }) => `insert into rounds.round (game_id, issue, game_day, number, opens_at, seals_at, draws_at, state,
        chain_id, chain_index, beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_genesis,
        beacon_period, beacon_round, voids_at, book_root, book_size, sealed_at, book_closed_at, settled_at, voided_at, void_reason)
      select game, to_char(day, 'YYYYMMDD')::bigint * 1000 + number, day, number, at, at + interval '180 s',
        at + interval '210 s', kind, game, 1 + at_game, 'drand', 'hash', 'key', 'scheme',
        extract(epoch from at)::bigint + 210, 3, 1, at + interval '810 s', sha256('book'), 7,
        at + interval '180 s', at + interval '181 s', case when kind in ('settled', 'voided') then at + interval '212 s' end,
        case kind when 'voided' then at + interval '211 s' end, case kind when 'voided' then 'sealed_late' end
      from generate_series(0, ${rows - 1}) n
        cross join lateral (select 1 + n % 4 as game, n / 4 as at_game) placed
        cross join lateral (select date '2024-01-01' + at_game / 274 as day, 1 + at_game % 274 as number) numbered
        cross join lateral (select (day + number * interval '315 s') at time zone 'UTC' as at,
          case when n >= ${rows - 4} then 'open' when n >= ${rows - 8} then 'sealed' when n >= ${rows - 12} then 'drawn'
            when n % ${rare} = 1 then 'voided' else 'settled' end as kind) clock`,
  },
  {
    table: 'rounds.draw',
    share: 10,
    sql: ({
      rows,
    }) => `insert into rounds.draw (game_id, issue, seed, beacon_signature, randomness, digit_1, digit_2, digit_3, drawn_at)
      select 1 + n % 4, to_char(date '2024-01-01' + n / 4 / 274, 'YYYYMMDD')::bigint * 1000 + 1 + n / 4 % 274, sha256('seed'),
        '', sha256(''), n % 10, n % 7, n % 3, '2024-01-01' from generate_series(0, ${rows - 9}) n`,
  },
  {
    // Half of those that belong to nobody wait; half of the others are dismissed, and half proposed for a player.
    table: 'deposits.assignment',
    second: true,
    sql: () => `insert into deposits.assignment (tx_id, log_index, player_id, note, proposed_by, proposed_at, state, decided_by, decided_at)
      select tx_id, log_index, case kind when 'dismissed' then null else coalesce(player_id, 7) end, 'bench', 1, block_at,
        case kind when 'proposed' then 'proposed' else 'confirmed' end,
        case when kind <> 'proposed' then 2 end, case when kind <> 'proposed' then block_at end
      from (select *, row_number() over (partition by player_id is null order by block) as place from deposits.transfer
          where player_id is null or player_id = 7) found
        cross join lateral (select case when player_id is not null then 'assigned'
          else (array['waiting', 'dismissed', 'waiting', 'proposed'])[1 + place % 4] end as kind) kinds
      where kind <> 'waiting'`,
  },
  {
    table: 'deposits.chain_difference',
    share: 100,
    sql: (
      size,
    ) => `insert into deposits.chain_difference (found_at, kind, tx_id, log_index, details)
      select at, case when n % ${size.rare} = 0 then 'amount_differs' else 'unmatched' end, repeat(md5(n::text), 2), 0, '{}'
      ${EACH(size)}`,
  },
  {
    table: 'console_players.code_reset',
    share: 100,
    sql: (
      size,
    ) => `insert into console_players.code_reset (player_id, reason, state, proposed_by, proposed_at, decided_by, decided_at, end_reason)
      select case kind when 'proposed' then n else 1 + n % ${size.owners} end, 'lost', kind, 1, at,
        case when kind <> 'proposed' then 2 end, case when kind <> 'proposed' then at end, case kind when 'ended' then 'found' end
      ${EACH(size)} cross join lateral (select case when n > ${size.rows - size.rares} then 'proposed'
        when n % ${size.rare} = 1 then 'ended' else 'confirmed' end as kind) kinds`,
  },
  {
    // Of every player who is frozen, and as many that were.
    table: 'accounts.freezing',
    sql: ({
      rows,
      rare,
      rares,
    }) => `insert into accounts.freezing (player_id, reason, frozen_by, frozen_at, lifted_by, lifted_at, lift_reason)
      select player, 'bench', 1, '2024-01-01', lifter, case when lifter is not null then timestamptz '2024-01-02' end,
        case when lifter is not null then 'over' end
      from (select n, n + 1 as player, 2 as lifter from generate_series(1, ${rares}) n
        union all select n, n, null from generate_series(${rare}, ${rows}, ${rare}) n) frozen order by n`,
  },
  {
    // Twenty payments each.
    table: 'console_money.bank_batch',
    share: 1_000,
    least: 50,
    sql: (
      size,
    ) => `insert into console_money.bank_batch (state, made_by, made_at, ended_by, ended_at)
      select kind, 1, at, case kind when 'done' then 2 end, case kind when 'done' then at end
      ${EACH(size)} cross join lateral (select case when n % ${size.rare} = 0 then 'open' else 'done' end as kind) kinds`,
  },
  {
    table: 'console_money.bank_payment',
    second: true,
    share: 1_000,
    least: 50,
    sql: ({ rows }) => `insert into console_money.bank_payment (batch_id, withdrawal_id, state)
      select 1 + n / 20, n + 1, 'sent' from generate_series(0, ${rows * 20 - 1}) n`,
  },
  {
    table: 'console_games.room_change',
    most: 10_000,
    sql: (
      size,
    ) => `insert into console_games.room_change (room_id, base_version, stake_min_before, stake_max_before, entry_min_before,
        stake_min, stake_max, entry_min, note, state, proposed_by, proposed_at, confirmed_by, confirmed_at, ended_by, ended_at,
        effective_issue, effective_at)
      select (array(select id from games.room order by id))[1 + n % 16], n, 1, 2, 0, 1, 2, 0, 'bench', kind, 1, at,
        case kind when 'effective' then 2 end, case kind when 'effective' then at end,
        case kind when 'refused' then 2 end, case kind when 'refused' then at end,
        case kind when 'effective' then 20240101001 end, case kind when 'effective' then at end
      ${EACH(size)} cross join lateral (select case when n % ${size.rare} = 0 then 'refused' else 'effective' end as kind) kinds`,
  },
  {
    table: 'content.article',
    most: 10_000,
    sql: (size) => `insert into content.article (category_id, published_at)
      select (select min(id) from content.category), case when n % ${size.rare} <> 0 then at end ${EACH(size)}`,
  },
  {
    table: 'content.article_text',
    second: true,
    most: 10_000,
    sql: ({ rare }) => `insert into content.article_text (article_id, lang, title, html)
      select id, lang, case when id % ${rare} = 0 then 'A seldom word ' else 'A title ' end || id, '<p>text</p>'
      from content.article cross join unnest(array['en', 'zh', 'ja']) lang
      where not exists (select from content.article_text where article_id = id)`,
  },
  {
    table: 'content.announcement',
    most: 10_000,
    sql: (size) => `insert into content.announcement (published_at) select at ${EACH(size)}`,
  },
  {
    table: 'content.announcement_text',
    second: true,
    most: 10_000,
    sql: () => `insert into content.announcement_text (announcement_id, lang, title, html)
      select id, 'en', 'A notice ' || id, '<p>text</p>' from content.announcement
      where not exists (select from content.announcement_text where announcement_id = id)`,
  },
  {
    table: 'console_start.day_figure',
    sql: () => `insert into console_start.day_figure
      select date '2024-01-01' + day, game, case room when 0 then 0 else game * 10 + room end, false, 10,
        1000000, 900000, 960000, 1e12
      from generate_series(0, 399) day, generate_series(1, 4) game, generate_series(0, 4) room`,
  },
]
