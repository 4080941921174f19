/**
 * The contents of a player's file: for each table with his id the columns that it shows, and the reason why it does
 * not show the others. A test compares this with the catalogue of the database, so that no table is forgotten.
 */

type Column = {
  readonly name: string
  /** An expression of type text. */
  readonly sql: string
}

export type OwnTable = {
  /** Schema and name. */
  readonly table: string
  /** The condition for his rows; `$1` is his id. By default: `player_id = $1`. */
  readonly whose?: string
  /** Columns by which the rows are sorted. */
  readonly order: string
  readonly columns: readonly Column[]
  /** Columns that the file does not show, by the reason; as all lists of columns, names with blanks between. */
  readonly withheld?: Readonly<Record<string, string>>
}

/** A column in PostgreSQL's text form. */
function text(names: string): Column[] {
  return names.split(' ').map((name) => ({ name, sql: `"${name}"::text` }))
}

/** An instant, in UTC, in ISO 8601 form. */
function at(names: string): Column[] {
  return names.split(' ').map((name) => ({
    name,
    sql: `case when isfinite("${name}")
      then to_char("${name}" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') else "${name}"::text end`,
  }))
}

/** The SQL of an amount in u, by that of one in micro-units. */
function inUnits(amount: string): string {
  return `to_char(${amount} / 1000000.0, 'FM999999999990.000000')`
}

/** An amount in u; it is stored in micro-units. */
function amount(names: string): Column[] {
  return names.split(' ').map((name) => ({ name, sql: inUnits(name) }))
}

/** A list of amounts in u. */
function amounts(names: string): Column[] {
  return names.split(' ').map((name) => ({
    name,
    sql: `(select array_agg(${inUnits('each')} order by place)
      from unnest("${name}") with ordinality listed (each, place))::text`,
  }))
}

/** The facts of changes and signs that are amounts; the others are words, instants and counts. */
const AMOUNTS = 'after amount before deposited lost_before net staked staked_before won'.split(' ')

/** The SQL of a JSON object with its amounts in u. Those are texts: the minutes of a check are a number. */
function facts(object: string): string {
  return `(select coalesce(jsonb_object_agg(key, case
      when key = any ('{${AMOUNTS}}') and jsonb_typeof(value) = 'string'
      then to_jsonb(${inUnits(`(value #>> '{}')::numeric`)}) else value end), '{}')
    from jsonb_each(${object}))`
}

const SECRET = 'a secret of the account, stored as a hash: it helps only who would guess it'
const ENCRYPTED = 'the whole number is stored encrypted; shown_number tells which it is'
const STAFF = 'tells of a member of staff, not of the player'
const NOTE = 'a note of staff about an inquiry, which the law may forbid to tell'
const DERIVED = 'follows from a column that is shown'
const OTHER = 'tells of another player'
const INNER = 'a number of the product’s own, which tells nothing of the player'

export const OWN_TABLES: readonly OwnTable[] = [
  {
    table: 'accounts.player',
    whose: 'id = $1',
    order: 'id',
    columns: [
      ...text('id username email asked_email group_id kind state avatar lang inviter_id'),
      ...at('created_at sensitive_changed_at closed_at password_required_at'),
    ],
    withheld: {
      [SECRET]: 'password_hash',
      [DERIVED]: 'email_key username_key',
      'empty as long as anybody can ask for the file': 'anonymised_at',
    },
  },
  {
    table: 'accounts.document',
    order: 'player_id',
    columns: [...text('shown_number'), ...at('changed_at')],
    withheld: { [ENCRYPTED]: 'encrypted_number key_id' },
  },
  {
    table: 'withdrawals.identity',
    order: 'player_id',
    columns: [...text('state version reject_reason'), ...at('sent_at decided_at')],
    withheld: {
      'it is identity.json': 'encrypted_facts',
      [ENCRYPTED]: 'key_id',
      [STAFF]: 'decided_by',
    },
  },
  {
    table: 'withdrawals.identity_picture',
    order: 'id',
    columns: at('added_at'),
    withheld: {
      [INNER]: 'id',
      [ENCRYPTED]: 'key_id',
      'the pictures are files of their own': 'encrypted_content',
    },
  },
  {
    table: 'accounts.security_code',
    order: 'player_id',
    columns: [...text('tries'), ...at('changed_at locked_until')],
    withheld: { [SECRET]: 'code_hash' },
  },
  {
    table: 'accounts.session',
    order: 'created_at',
    columns: [
      ...at('created_at seen_at proved_at signed_in_at ended_at'),
      ...text('ended_by device network'),
      ...amount('net_at_start'),
    ],
    withheld: { [INNER]: 'id device_family', [SECRET]: 'token_hash device_hash' },
  },
  {
    table: 'accounts.passkey',
    order: 'id',
    columns: [
      ...text('name transports sign_count'),
      ...at('created_at used_at cloned_at'),
      { name: 'credential_id', sql: `encode(credential_id, 'hex')` },
    ],
    withheld: {
      [INNER]: 'id user_handle',
      'what his device’s signatures are checked with': 'public_key',
    },
  },
  {
    table: 'inbox.push_choice',
    order: 'player_id',
    columns: text('topics amounts'),
  },
  {
    table: 'inbox.push_subscription',
    order: 'id',
    columns: [
      // The rest is a secret: whoever knows it can send to the browser.
      { name: 'endpoint', sql: `split_part(endpoint, '/', 3)` },
      ...at('created_at'),
    ],
    withheld: { [INNER]: 'id device_family silent_until', [SECRET]: 'session_hash p256dh auth' },
  },
  {
    table: 'accounts.second_factor',
    order: 'player_id',
    columns: at('on_since used_at'),
    withheld: {
      'the secret of his authenticator app, which was shown to him once': 'encrypted_totp_secret',
      [ENCRYPTED]: 'totp_key_id',
      [INNER]: 'totp_time_step',
    },
  },
  {
    table: 'accounts.recovery_code',
    order: 'made_at, code_hash',
    columns: at('made_at used_at'),
    withheld: { [SECRET]: 'code_hash' },
  },
  {
    table: 'accounts.known_device',
    order: 'first_at',
    columns: at('first_at last_at'),
    withheld: { [SECRET]: 'secret_hash' },
  },
  {
    table: 'accounts.security_link',
    order: 'made_at',
    columns: [...text('old_email'), ...at('made_at used_at')],
    withheld: { [SECRET]: 'token_hash' },
  },
  {
    table: 'accounts.remembered_device',
    order: 'created_at',
    columns: at('created_at expires_at used_at ended_at'),
    withheld: { [SECRET]: 'secret_hash used_key', [INNER]: 'family' },
  },
  {
    table: 'accounts.known_network',
    order: 'last_at',
    columns: at('last_at'),
    withheld: { 'a hash with a key: the network itself is not stored': 'network_hash' },
  },
  {
    table: 'accounts.email_code',
    whose: 'email_key = (select own.email_key from accounts.player own where own.id = $1)',
    order: 'id',
    columns: [...text('event'), ...at('created_at expires_at used_at')],
    withheld: {
      [INNER]: 'id on_allowance',
      'his address, in player': 'email_key',
      [SECRET]: 'code_hash asked_from',
    },
  },
  {
    table: 'accounts.uploaded_picture',
    order: 'created_at',
    columns: [...text('name'), ...at('created_at')],
    withheld: { 'the picture itself, which he sees at /uploads/<name>': 'content' },
  },
  {
    table: 'accounts.freezing',
    order: 'id',
    columns: at('frozen_at lifted_at'),
    withheld: { [INNER]: 'id', [NOTE]: 'reason lift_reason', [STAFF]: 'frozen_by lifted_by' },
  },
  {
    table: 'inbox.message',
    order: 'id',
    columns: [...text('id kind facts'), ...at('created_at read_at')],
  },
  {
    table: 'content.announcement_reader',
    order: 'player_id',
    columns: at('listed_at listed_before'),
  },
  {
    table: 'ledger.balance',
    whose: 'holder_id = $1',
    order: 'holder_id',
    columns: [...amount('cash held'), ...text('last_posting')],
    withheld: { [DERIVED]: 'holder_id' },
  },
  {
    table: 'ledger.posting',
    whose: 'holder_id = $1',
    order: 'id',
    columns: [
      ...text('id booked_on'),
      ...at('posted_at'),
      ...text('kind source destination'),
      ...amount('amount cash_after held_after'),
      ...text('reference'),
    ],
    withheld: { [DERIVED]: 'holder_id' },
  },
  {
    table: 'protection.player',
    order: 'player_id',
    columns: [
      ...text('starts check_every under_review'),
      // Totals of the present day, week and month.
      ...amounts('staked paid_out deposited'),
      ...at(
        'session_began_at session_active_at checked_at excluded_until said_under_age_at proved_adult_at',
      ),
      ...amount('session_staked session_paid_out'),
    ],
    withheld: { [INNER]: 'marked_with' },
  },
  {
    table: 'protection.player_limit',
    order: 'kind, period',
    columns: [
      ...text('kind period'),
      ...amount('amount raise_amount'),
      ...at('set_at raise_asked_at raise_told_for'),
    ],
  },
  {
    table: 'protection.exclusion',
    // A likeness that holds nobody would reveal that another player has taken a break.
    whose: "player_id = $1 and (kind <> 'likeness' or holds)",
    order: 'id',
    columns: [...text('kind'), ...at('began_at ends_at end_requested_at decided_at')],
    withheld: {
      [INNER]: 'id holds',
      [OTHER]: 'like_player like_in shared_from decision',
      [STAFF]: 'decided_by',
      [NOTE]: 'decide_reason',
    },
  },
  {
    table: 'protection.held_deposit',
    order: 'id',
    columns: [
      ...text('id'),
      ...amount('amount'),
      ...text('reference from_address because state refund_reference refund_to refund_chain'),
      ...at('held_at asked_back_at decided_at'),
    ],
    withheld: {
      [STAFF]: 'decided_by refund_corrected_by refund_returned_by',
      [DERIVED]: 'for_staff refund_key',
    },
  },
  {
    table: 'protection.change',
    order: 'id',
    columns: [
      ...text('id'),
      ...at('at'),
      ...text('what'),
      { name: 'details', sql: `${facts('details')}::text` },
    ],
  },
  {
    table: 'bets.bet',
    order: 'id',
    columns: [
      ...text('id order_no booked_on game_id issue room_id rule_ids odds_milli'),
      ...text('rules_version'),
      ...amount('stake total cash_after could_pay'),
      ...text('posting_id'),
      ...at('accepted_at'),
      ...text('status follow_id'),
      ...amount('payout'),
      ...at('settled_at'),
      { name: 'nonce', sql: `encode(nonce, 'hex')` },
    ],
    withheld: { 'known to his client, which made it': 'client_key' },
  },
  {
    table: 'bets.player_day',
    order: 'day',
    columns: [...text('day'), ...amount('staked paid')],
  },
  {
    table: 'bets.winner',
    order: 'settled_at, bet_id',
    columns: [...at('settled_at'), ...text('bet_id game_id'), ...amount('profit')],
  },
  {
    table: 'deposits.address',
    order: 'player_id',
    columns: [...text('address'), ...at('given_at')],
    withheld: { [INNER]: 'derivation_index' },
  },
  {
    table: 'deposits.transfer',
    order: 'block, tx_id, log_index',
    columns: [
      ...text('tx_id log_index block from_address to_address'),
      ...amount('amount'),
      ...at('block_at credited_at'),
    ],
    withheld: { [INNER]: 'assignment' },
  },
  {
    table: 'withdrawals.pay_method',
    order: 'id',
    columns: [
      ...text('id kind shown_number label bank_name branch_code branch_name note'),
      ...at('created_at replaced_at'),
    ],
    withheld: { [ENCRYPTED]: 'encrypted_number key_id past_keys' },
  },
  {
    table: 'withdrawals.withdrawal',
    order: 'id',
    columns: [
      ...text('id pay_method_id booked_on state reject_reason payout_reference'),
      ...text('at_bank'),
      ...amount('amount paid_part cash_after'),
      ...at('requested_at decided_at paid_at sent_at reversed_at'),
    ],
    withheld: {
      [STAFF]:
        'first_approved_by approved_by rejected_by payout_recorded_by had_by payout_corrected_by payout_accepted_by requested_by reversed_by',
      [DERIVED]: 'rest payout_key stage place',
      [INNER]: 'payout_chain payout_log payout_fault payout_absent_at payout_batch',
    },
  },
  {
    table: 'staff.proposal',
    // The other corrections of his balance are plans of staff who still decide on them or have dropped them.
    whose:
      "player_id = $1 and (kind in ('code_reset', 'factor_reset', 'address_reset', 'bank_deposit', 'assignment') or state = 'confirmed')",
    order: 'id',
    columns: [
      ...text('id kind state'),
      // The amount in u, of what has one, and the bank's reference.
      {
        name: 'content',
        sql: `concat_ws(' ', to_char((content ->> 'amount')::bigint / 1000000.0, 'FM999999999990.000000'),
          content ->> 'reference')`,
      },
      // The reasons that he has been told.
      {
        name: 'reason',
        sql: `case when kind in ('bonus', 'credit', 'debit', 'reversal') then reason end`,
      },
      { name: 'end_reason', sql: `case when kind = 'bank_deposit' then end_reason end` },
      ...at('proposed_at confirmed_at ended_at'),
    ],
    withheld: {
      [DERIVED]: 'subject',
      [INNER]: 'confirmed_with effective_at effective_with alone',
      [STAFF]: 'proposed_by first_confirmed_by confirmed_by ended_by',
    },
  },
  {
    table: 'console_players.sign',
    order: 'id',
    columns: [
      ...text('kind since_day until_day'),
      {
        name: 'facts',
        sql: `(select jsonb_agg(fact || jsonb_build_object('values', ${facts(`fact -> 'values'`)}) order by place)
          from jsonb_array_elements(facts) with ordinality listed (fact, place))::text`,
      },
    ],
    withheld: { [INNER]: 'id' },
  },
  {
    table: 'console_players.contact',
    order: 'id',
    columns: [...text('day channel'), ...at('written_at')],
    withheld: { [INNER]: 'id', [NOTE]: 'text', [STAFF]: 'written_by' },
  },
  {
    table: 'own_account.data_file',
    order: 'id',
    columns: at('requested_at ready_at'),
    withheld: { [INNER]: 'id', 'the length of this file, unknown until it is made': 'bytes' },
  },
]

/** Tables that name a player, and why his file does not show them. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'app.request_key': 'for some days the answers to his requests; what they did is shown',
  'staff.member': 'the address is a member’s of staff',
  'robots.robot': 'robots are programs of the operator’s',
  'protection.mark': 'keyed hashes of his address, document, wallets and cards, which are shown',
  'disclosure.owed_leaf': 'for three days his balance at a count, which he is shown with its proof',
  'console_players.note': 'notes of staff for each other, of which the law may forbid to tell',
  'console_players.night': 'follows from his bets: what he bet at night',
  'console_start.player_figure': 'follows from his bets: what they come to on each day',
}
