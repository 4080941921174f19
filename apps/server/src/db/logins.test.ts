/** What each part of the product may do in the database, as the catalog says and as its login finds. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { shareTestDatabase } from '#testing/database/test-database.ts'
import { SCHEMAS } from './apply-functions.ts'
import type { Queryable } from './database.ts'
import { PARTS, type Part } from './logins.ts'
import { reachAsPart } from './reach-database.ts'
import { withClient } from './with-client.ts'

/** The names in a text. */
const names = (text: string) => text.trim().split(/\s+/)

/** What all parts may call; a function that is granted to all is a decision, and stands here. */
const OF_ALL = names(`
  app.count_calls app.now app.parts_of games.clocks_apart rounds.value_at rounds.was_witnessed`)

/** All that the engine may call besides. */
const OF_ENGINE = names(`
  bets.extend_book bets.seal bets.settle games.keep_planned_stops games.set_clocks_apart rounds.draw rounds.open
  rounds.publish_seed rounds.store_value rounds.to_publish rounds.void`)

/** All that jobs and requests may call besides. */
const OF_JOBS_AND_API = names(`
  accounts.is_person app.number_in bets.root_of console_money.waits_for deposits.is_nowhere deposits.is_ours
  deposits.reference_of deposits.subject_of deposits.taken_back protection.hears_no_advertising robots.seat_demo
  staff.audit_check withdrawals.hold_until withdrawals.takes_two withdrawals.waits_for`)

/** All that jobs may call besides. */
const OF_JOBS = [
  ...OF_JOBS_AND_API,
  ...names(`
    bets.place_of_robots console_content.forget_unused_pictures console_money.deposited_between
    console_money.moved_between console_money.snapshot_balances console_money.take_refund_answer
    console_players.find_signs console_start.count_rounds deposits.begin_watching deposits.compare_with_chain
    deposits.compared_transfers deposits.is_owners deposits.note_seen deposits.stray_deposits deposits.take_block
    disclosure.add_own_address disclosure.count_owed disclosure.day_to_report disclosure.report_returns
    games.winning_rules own_account.anonymise own_account.close_idle_visitor own_account.idle_before
    own_account.is_idle_visitor protection.lock_player protection.note_earlier_marks protection.release_deposits
    protection.set_marked protection.take_possible_raises public_log.add_checkpoint public_log.add_node
    public_log.note_key public_log.place_entries robots.level robots.recruit staff.sign_audit
    withdrawals.note_absent_payout withdrawals.sent_by withdrawals.stopped_since withdrawals.take_chain_answer`),
]

/** Whether a role may call each function of ours; those of triggers and of no part are left out. */
async function callable(db: Queryable, role: string): Promise<string[]> {
  const names = await db.column<string>(
    `select distinct oid::regproc::text as name from pg_proc
     where pronamespace::regnamespace::text = any ($1) and prorettype <> 'trigger'::regtype
       and has_function_privilege($2, oid, 'execute')`,
    [SCHEMAS, role],
  )
  return names.sort()
}

const database = shareTestDatabase()

describe('the functions of the database', () => {
  it('are granted to named parts: what all or the engine or jobs may call is listed here', async () => {
    const { owner } = database
    expect(await callable(owner, 'sum28_application')).toEqual(OF_ALL)
    expect(await callable(owner, 'sum28_engine')).toEqual([...OF_ALL, ...OF_ENGINE].sort())
    expect(await callable(owner, 'sum28_jobs')).toEqual([...OF_ALL, ...OF_JOBS].sort())
  })

  it('that draw, or that only jobs call, are not for requests', async () => {
    const { owner } = database
    const api = await callable(owner, 'sum28_api')
    expect(api.length).toBeGreaterThan(80)
    const both = [...OF_ALL, ...OF_JOBS_AND_API]
    const others = [...OF_ENGINE, ...OF_JOBS]
    expect(api.filter((name) => others.includes(name) && !both.includes(name))).toEqual([])
  })
})

describe('the tables of the database', () => {
  type Right = { table: string; right: string }

  async function rightsOf(owner: Queryable, role: string): Promise<string[]> {
    const rows = await owner.query<Right>(
      `select distinct pg_class.oid::regclass::text as table, lower(right_name) as right
       from pg_class cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) right_name
       where relnamespace::regnamespace::text = any ($1) and relkind in ('r', 'p', 'v') and not relispartition
         and has_any_column_privilege($2, pg_class.oid, right_name)
       union select pg_class.oid::regclass::text, lower(right_name)
       from pg_class cross join unnest(array['DELETE', 'TRUNCATE', 'TRIGGER']) right_name
       where relnamespace::regnamespace::text = any ($1) and relkind in ('r', 'p', 'v') and not relispartition
         and has_table_privilege($2, pg_class.oid, right_name)`,
      [SCHEMAS, role],
    )
    // The clock that tests set.
    const own = rows.filter(({ table }) => table !== 'app.test_clock')
    return own.map(({ table, right }) => `${right} ${table}`).sort()
  }

  const OF_ALL_TO_READ = names(`
    app.setting games.house own_account.terms protection.house protection.house_limit rounds.round rounds.value
    rounds.voided_seed wallet.adjustment_limit withdrawals.terms`).map((table) => `select ${table}`)

  it('of rounds and seeds are all that the engine reads, and chains of seeds all that it writes', async () => {
    const { owner } = database
    expect(await rightsOf(owner, 'sum28_application')).toEqual(OF_ALL_TO_READ)
    expect(await rightsOf(owner, 'sum28_engine')).toEqual(
      [...OF_ALL_TO_READ, 'insert fairness.chain', 'select fairness.chain'].sort(),
    )
  })

  it('that begin sessions, pay or name staff are written by no job', async () => {
    const { owner } = database
    const written = (await rightsOf(owner, 'sum28_jobs')).filter((right) => /^insert/.test(right))
    const tables = names(`
      app.captured_mail app.local_transaction app.regular_job app.sent_mail deposits.chain_difference
      deposits.rescan_height deposits.spare_address inbox.message own_account.data_part public_log.witness staff.alert
      staff.alert_delivery`)
    expect(written).toEqual(tables.map((table) => `insert ${table}`))
  })

  it('that requests write are those of accounts, keys, messages and data to fetch, and few columns of others', async () => {
    const { owner } = database
    const rights = await rightsOf(owner, 'sum28_api')
    const written = (right: string) => rights.filter((one) => one.startsWith(right))
    const inserted = names(`
      accounts.challenge accounts.counter accounts.document accounts.email_code accounts.known_device
      accounts.known_network accounts.passkey accounts.player accounts.recovery_code accounts.remembered_device
      accounts.second_factor accounts.security_link accounts.session accounts.uploaded_picture app.request_key
      content.announcement_reader inbox.message inbox.push_choice inbox.push_key inbox.push_subscription
      own_account.data_file`)
    expect(written('insert')).toEqual(inserted.map((table) => `insert ${table}`))
    const updated = names(`
      accounts.challenge accounts.counter accounts.document accounts.email_code accounts.known_device
      accounts.known_network accounts.passkey accounts.player accounts.recovery_code accounts.remembered_device
      accounts.second_factor accounts.security_code accounts.session accounts.uploaded_picture app.request_key
      content.announcement_reader inbox.message inbox.push_choice inbox.push_subscription staff.member staff.session
      withdrawals.pay_method`)
    expect(written('update')).toEqual(updated.map((table) => `update ${table}`))
    const deleted = names(`
      accounts.challenge accounts.counter accounts.known_device accounts.known_network accounts.passkey
      accounts.recovery_code accounts.remembered_device accounts.second_factor accounts.session
      accounts.uploaded_picture app.request_key inbox.push_subscription own_account.data_file`)
    expect(written('delete')).toEqual(deleted.map((table) => `delete ${table}`))
    expect(written('truncate')).toEqual([])
  })
})

const EXHAUST = `select setval(pg_get_serial_sequence('graphile_worker._private_jobs', 'id'), 9)`

/** What a taken-over process of a part would try first: each beyond the lists of functions and tables above. */
const FORBIDDEN: [part: Part, what: string, statement: string][] = [
  ['api', 'read a seed', 'select encrypted_secret from fairness.chain'],
  ['api', 'write a proposal', 'insert into staff.proposal default values'],
  [
    'api',
    'add a payee without a hold',
    `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label, created_at)
     values (1, 'wallet', '', 'T', '', '', '2020-01-01')`,
  ],
  [
    'api',
    'make a session that never ends',
    `insert into accounts.session (token_hash, player_id, net_at_start, created_at) values ('', 1, 0, '2099-01-01')`,
  ],
  [
    'api',
    'make a link to another address',
    `insert into accounts.security_link (token_hash, player_id, old_email) values ('', 1, 'a@example.org')`,
  ],
  ['api', 'set a security code', `update accounts.security_code set code_hash = ''`],
  ['api', 'adjust a balance alone', 'select console_money.adjust(null)'],
  [
    'engine',
    'put a chain before the others',
    `insert into fairness.chain (id, game_id, length, commitment, encrypted_secret, key_id)
     overriding system value values (-1, 1, 9, sha256('x'), 'x', 'x')`,
  ],
  ['api', 'exhaust the numbers of jobs', EXHAUST],
  ['api', 'take a job away', 'delete from graphile_worker._private_jobs'],
  ['api', 'put a job off for ever', `update graphile_worker._private_jobs set run_at = 'infinity'`],
  [
    'api',
    'hold up a queue',
    `insert into graphile_worker._private_job_queues (queue_name, locked_at) values ('push', 'infinity')`,
  ],
  ['api', 'end a job', `select graphile_worker.complete_jobs('{1}')`],
  ['engine', 'read a player', 'select email from accounts.player'],
  ['engine', 'read when identity is asked', 'select identity_from from withdrawals.terms'],
  ['engine', 'queue mail', `select graphile_worker.add_job('send-mail')`],
  ['jobs', 'bet for a player', `select bets.place('[]')`],
  ['jobs', 'read a seed', 'select encrypted_secret from fairness.chain'],
  ['jobs', 'set a password', `update accounts.player set password_hash = ''`],
  ['jobs', 'read the password of staff', 'select password_hash from staff.member'],
  ['jobs', 'read a session of staff', 'select from staff.session'],
  ['jobs', 'exhaust the numbers of jobs', EXHAUST],
  ['jobs', 'read a security code', 'select code_hash from accounts.security_code'],
]

describe('the login of a part', () => {
  it.each(FORBIDDEN)('%s: may not %s', async (part, _what, statement) => {
    await withClient(database.addresses[part], (client) =>
      expect(client.query(statement)).rejects.toThrow(/permission denied/),
    )
  })

  it.each(PARTS)('is taken for ROLE=%s, and for no other role', async (part) => {
    const { addresses, ownerUrl, applicationUrl } = database
    await expect(reachAsPart(addresses[part], part)).resolves.toBeUndefined()
    const other = part === 'jobs' ? 'api' : 'jobs'
    await expect(reachAsPart(addresses[other], part)).rejects.toThrow(
      `is no member of sum28_${part}; as the owner, grant`,
    )
    await expect(reachAsPart(applicationUrl, part)).rejects.toThrow(/is also a member of sum28_/)
    await expect(reachAsPart(ownerUrl, part)).rejects.toThrow(
      `ROLE=${part} needs a login of its own in DATABASE_URL`,
    )
  })

  it('is refused if it may make roles, also where the database is another’s', async () => {
    const { addresses, ownerUrl, name } = database
    const login = `${name}_strong`
    await withClient(ownerUrl, (owner) =>
      owner.query(`create role ${login} login createrole password 'x' in role sum28_api`),
    )
    onTestFinished(() => withClient(ownerUrl, (owner) => owner.query(`drop role ${login}`)).then())
    const address = Object.assign(new URL(addresses.api), { username: login, password: 'x' })
    await expect(reachAsPart(address.toString(), 'api')).rejects.toThrow(/may make roles/)
  })
})
