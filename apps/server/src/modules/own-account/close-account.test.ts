/** Closing an account: never with an open position, everywhere at once, and later no data identifies the player. */
import { MICRO } from '@sum28/domain/money.ts'
import { describe, expect, it } from 'vitest'
import { callFunction } from '#src/db/database.ts'
import { savePicture } from '#src/modules/accounts/pictures.ts'
import { hashSecret, startSession } from '#src/modules/accounts/session.ts'
import { exclude } from '#src/modules/protection/protection-store.ts'
import { withdrawalById } from '#src/modules/withdrawals/withdrawal-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  addRefund,
  cashOf,
  moveMoney,
  openTestRound,
  orderFor,
  placeAll,
  takeDeposit,
} from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { payByHand } from '#testing/people/cash-desk.ts'
import { addMemberWithData } from '#testing/people/member-with-data.ts'
import { confirmRefund, proposeRefund } from '#testing/people/proposals.ts'
import { addSeatedPlayer, changePlayer } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'
import { picture } from '#testing/requests/pictures.ts'
import {
  anonymiseClosed,
  closeAccount,
  closeIdleVisitors,
  mayClose,
  openMatters,
  type Rest,
  writeClosedKept,
} from './close-account.ts'
import { LEFT_OUT, OWN_TABLES } from './own-data-tables.ts'

const WORD = 'one of a few words'
const STAFF = 'written by staff'
const BOOKS = 'shows the movement of money, at the bank or on the public chain'
const NEW = 'another one since, or none'
const INNER = 'of the product’s own'

/** The tables that name a player and stay, with their texts by the reason why each may. */
const KEPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'accounts.player': {
    [NEW]: 'username username_key email email_key asked_email password_hash avatar lang',
    [WORD]: 'kind state',
  },
  'accounts.freezing': { [STAFF]: 'reason lift_reason' },
  'bets.bet': { [INNER]: 'order_no nonce', 'made by his client': 'client_key', [WORD]: 'status' },
  'bets.player_day': {},
  'bets.winner': {},
  'console_players.contact': { [WORD]: 'channel', [STAFF]: 'text' },
  'console_players.night': {},
  'console_players.note': { [STAFF]: 'text' },
  'console_players.sign': { [WORD]: 'kind', sums: 'facts' },
  'console_start.player_figure': {},
  'deposits.address': { [BOOKS]: 'address' },
  'deposits.transfer': { [BOOKS]: 'tx_id from_address to_address' },
  'disclosure.owed_leaf': {},
  'ledger.balance': {},
  'ledger.posting': { [WORD]: 'kind source destination', [BOOKS]: 'reference' },
  'protection.change': { [WORD]: 'what', 'sums, words and times: names are taken out': 'details' },
  'protection.exclusion': { [WORD]: 'kind like_in decision', [STAFF]: 'decide_reason' },
  'protection.held_deposit': {
    [BOOKS]: 'reference from_address refund_reference refund_key refund_to',
    [WORD]: 'because state refund_chain',
  },
  'protection.player': { [INNER]: 'marked_with' },
  'protection.player_limit': { [WORD]: 'kind period' },
  'robots.robot': {},
  'staff.member': {
    [STAFF]: 'name password_hash encrypted_totp_secret email',
    [WORD]: 'role alerts',
    [INNER]: 'totp_key_id',
  },
  'staff.proposal': {
    [WORD]: 'kind state',
    [INNER]: 'subject confirmed_with effective_with',
    [STAFF]: 'content reason end_reason',
  },
  'withdrawals.pay_method': {
    [WORD]: 'kind',
    [NEW]: 'encrypted_number shown_number label bank_name branch_code branch_name note',
    [INNER]: 'key_id past_keys',
  },
  'withdrawals.withdrawal': {
    [WORD]: 'state payout_chain payout_fault stage',
    [STAFF]: 'reject_reason',
    [BOOKS]: 'payout_reference payout_key',
  },
}

const { database, db, owner } = eachTestDatabase()

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 10, 20, 4)
const U = MICRO

/** Which of these texts a row of the database has, and in which table, except for the log of staff. */
async function placesOf(texts: string[]) {
  const tables = await owner.column<string>(
    `select oid::regclass::text from pg_class
     where relkind in ('r', 'p') and not relispartition
       and relnamespace::regnamespace::text !~ '^(pg_|information_schema|graphile)'`,
  )
  const looks = tables.map(
    (table) =>
      `select found, '${table}' as table from unnest($1::text[]) found where exists (
         select from ${table} each_row where strpos(lower(each_row::text), lower(found)) > 0)`,
  )
  return owner.query<{ found: string; table: string }>(looks.join(' union all '), [texts])
}

/** Which of the tables that name a player have rows of this one. */
async function tablesWith(playerId: number): Promise<string[]> {
  const whose = Object.fromEntries(OWN_TABLES.map(({ table, whose }) => [table, whose]))
  const tables = [...OWN_TABLES.map(({ table }) => table), ...Object.keys(LEFT_OUT)]
  const found: string[] = []
  for (const table of tables.filter((each) => !KEPT[each])) {
    const his = table === 'app.request_key' ? `owner = 'player:' || $1::integer` : whose[table]
    const look = `select from ${table} where ${his ?? 'player_id = $1'}`
    if (await owner.exists(look, [playerId])) found.push(table)
  }
  return found
}

/** Notes that rounds ended on each day from so many days ago back to so many, without making these rounds. */
const heldDays = (from: number, to: number) =>
  owner.query(
    `insert into rounds.day select 1, app.now()::date - n, 1 from generate_series($1::integer, $2::integer) n`,
    [from, to],
  )

/** A visitor who came so many days ago, and whose network has been known since he was here last. */
async function visitor(cameDaysAgo: number, knownDaysAgo?: number): Promise<number> {
  const id = await addPlayer(database, { u: 0 })
  const created = `app.now() - interval '${cameDaysAgo} days'`
  await changePlayer(database, id, `group_id = 2, created_at = ${created}`)
  if (knownDaysAgo !== undefined) {
    await owner.query(
      `insert into accounts.known_network (player_id, network_hash, last_at)
       values ($1, '', app.now() - make_interval(days => $2))`,
      [id, knownDaysAgo],
    )
  }
  return id
}

/** Credits a deposit to a player whose deposits are held. */
const holdDeposit = (playerId: number, micro: bigint) =>
  takeDeposit(owner, { playerId, micro, reference: `test:${playerId}` })

/** A rest that is paid to the pay method of this player. */
async function restTo(playerId: number): Promise<Rest> {
  const id = await owner.value<number>(
    'select id from withdrawals.pay_method where player_id = $1',
    [playerId],
  )
  return { payMethodId: id, onDay: '2026-11-20' }
}

describe('an account', () => {
  it('is not closed while a bet is running, a withdrawal is pending, a deposit is held or a balance is left', async () => {
    const refused = async (playerId: number) => {
      const refusal = await closeAccount(db, { playerId, session: null })
      expect(refusal).toMatchObject({ refused: 'something_open' })
      return refusal?.details
    }
    const better = await addPlayer(database, { u: 100 })
    const round = await openTestRound(database)
    expect(await placeAll(database, [orderFor(better, round, { u: 100 })])).toEqual([null])
    expect(await refused(better)).toMatchObject({ running: '100.00', balance: '0.00' })

    const rich = await addPlayer(database, { u: 100 })
    expect(await refused(rich)).toMatchObject({ balance: '100.00' })

    const waiting = await addMemberWithData(database, { u: 150 })
    await owner.query(
      `select withdrawals.request($1, (select id from withdrawals.pay_method where player_id = $1), $2,
         current_date, null, null)`,
      [waiting, 150n * U],
    )
    expect(await refused(waiting)).toMatchObject({ withdrawing: '150.00', balance: '0.00' })

    const excluded = await addPlayer(database, { u: 0 })
    await exclude(db, { playerId: excluded, kind: 'time_out', lasting: '24 hours' })
    await holdDeposit(excluded, 100n * U)
    expect(await refused(excluded)).toMatchObject({ held: '100.00' })

    const repaid = await addPlayer(database, { u: 0 })
    await addRefund(database, { playerId: repaid, chain: 'wrong' })
    expect(await refused(repaid)).toMatchObject({ held: '100.00' })
    expect(await owner.column('select distinct state from accounts.player')).toEqual(['active'])
  })

  it('is closed although less is held than can be withdrawn, and staff can still return it', async () => {
    const holder = async (amount: bigint) => {
      const playerId = await addPlayer(database, { u: 60 })
      await exclude(db, { playerId, kind: 'time_out', lasting: '24 hours' })
      await holdDeposit(playerId, amount)
      return playerId
    }
    const poor = await holder(40n * U - 1n)
    const id = await owner.value<bigint>('select id from protection.held_deposit')
    const rich = await holder(40n * U)
    expect(mayClose(await openMatters(db, rich))).toBe(false)
    expect(await closeAccount(db, { playerId: rich, session: null })).toMatchObject({
      refused: 'something_open',
    })
    expect(mayClose(await openMatters(db, poor))).toBe(true)
    expect(await closeAccount(db, { playerId: poor, session: null })).toBeNull()
    const [one, other] = [await staffToken(database), await staffToken(database)]
    expect(await proposeRefund(db, { id, session: one })).toBe('proposed')
    expect(await confirmRefund(db, { id, session: other, payment: 'back-1' })).toBe('confirmed')
    await expectAlwaysTrue(owner)
  })

  it('with less than can be withdrawn gets it paid out by staff, to the hundredth of a unit, although it is closed', async () => {
    const playerId = await addMemberWithData(database, { u: 7 })
    const finer = 3_456n
    await moveMoney(owner, 'deposit', { playerId, micro: finer, reference: 'test:finer' })
    const rest = 7n * U
    const payTo = await restTo(playerId)
    const atOnce = await Promise.all(
      [1, 2, 3].map(() => closeAccount(db, { playerId, session: null, rest: payTo })),
    )
    expect(atOnce.filter((each) => each === null)).toHaveLength(1)
    expect(await cashOf(database, playerId)).toBe(finer)
    const withdrawals = await owner.query<{ id: bigint }>(
      'select id, state, amount from withdrawals.withdrawal',
    )
    expect(withdrawals).toMatchObject([{ state: 'waiting', amount: rest }])
    expect(
      await owner.query(
        `select kind, facts ->> 'days' as days from inbox.message
         where player_id = $1 and kind <> 'staff_message' order by id`,
        [playerId],
      ),
    ).toEqual([
      { kind: 'rest_requested', days: null },
      { kind: 'account_closed', days: '1826' },
    ])
    await expectAlwaysTrue(owner)

    // The time for which the account is kept ends, but for the rest.
    await writeClosedKept(owner, 1)
    await database.shiftClock(2 * DAY_MS)
    const [one, other] = [await staffToken(database), await staffToken(database)]
    const id = withdrawals[0]?.id ?? 0n
    expect(await withdrawalById(db, id)).toMatchObject({ closed: true, frozen: false })
    expect(await callFunction(owner, 'withdrawals.approve', id, one)).toBe('approved')
    expect(await payByHand(owner, { id, by: other, reference: 'tx-7' })).toBe('paid')
    // The bank may send it back.
    expect(await anonymiseClosed(db)).toBe(0)
    await database.shiftClock(30 * DAY_MS)
    expect(await anonymiseClosed(db)).toBe(1)
    await expectAlwaysTrue(owner)
  })

  it('whose rest cannot be withdrawn stays open, and nothing is changed', async () => {
    const [ann, bob] = [
      await addMemberWithData(database, { u: 7 }),
      await addMemberWithData(database, { u: 8 }),
    ]
    const [toAnn, toBob] = [await restTo(ann), await restTo(bob)]
    expect(await closeAccount(db, { playerId: ann, session: null, rest: toBob })).toMatchObject({
      refused: 'pay_method_missing',
    })
    await changePlayer(database, ann, 'sensitive_changed_at = app.now()')
    await owner.query(`update withdrawals.terms set hold = '1 day'`)
    expect(await closeAccount(db, { playerId: ann, session: null, rest: toAnn })).toMatchObject({
      refused: 'withdrawal_on_hold',
    })
    expect(await owner.column('select distinct state from accounts.player')).toEqual(['active'])
    expect(await cashOf(database, ann)).toBe(7n * U)
    // He may leave it booked at once, without waiting.
    expect(await closeAccount(db, { playerId: ann, session: null })).toBeNull()
    await expectAlwaysTrue(owner)
  })

  it('that is closed is not closed again, and a later deposit is held', async () => {
    const playerId = await addPlayer(database, { u: 0 })
    expect(await closeAccount(db, { playerId, session: null })).toBeNull()
    expect(await closeAccount(db, { playerId, session: null })).toMatchObject({
      refused: 'account_locked',
    })
    await holdDeposit(playerId, 500n * U)
    expect(await openMatters(db, playerId)).toMatchObject({ held: 500n * U, balance: 0n })
  })
})

it('a visitor who had no session for 30 days loses his account, unless something is open', async () => {
  await database.freezeClock(START)
  const names = ['idle', 'new', 'back', 'rich', 'member', 'frozen']
  const ids: Record<string, number> = {}
  for (const name of names) ids[name] = await addPlayer(database, { u: name === 'rich' ? 100 : 0 })
  await owner.query(
    `update accounts.player set created_at = app.now() - interval '30 days 1 second',
       group_id = case when id = $1 then 1 else 2 end`,
    [ids.member],
  )
  await changePlayer(database, ids.new ?? 0, 'created_at = app.now()')
  await changePlayer(database, ids.frozen ?? 0, `state = 'frozen'`)
  await owner.query(
    `insert into accounts.session (token_hash, player_id, net_at_start, created_at, seen_at)
     values ('back', $1, 0, app.now() - interval '31 days', app.now() - interval '30 days'),
       ('idle', $2, 0, app.now() - interval '31 days', app.now() - interval '30 days 1 second')`,
    [ids.back, ids.idle],
  )
  // Without rounds nobody could come.
  expect(await closeIdleVisitors(db)).toBe(0)
  await heldDays(0, 29)
  expect(await closeIdleVisitors(db)).toBe(1)
  const closed = await owner.query(`select id from accounts.player where state = 'closed'`)
  expect(closed).toEqual([{ id: ids.idle }])
  expect(await closeIdleVisitors(db)).toBe(0)
  await database.freezeClock(START + 1_000)
  expect(await closeIdleVisitors(db)).toBe(1)
  await owner.query('delete from rounds.day')
  await expectAlwaysTrue(owner)
})

it.each([
  {
    why: 'by days on which the house was off',
    // Since he came: twenty-nine days, then none for a month, and then today.
    came: 59,
    held: ['31-60', '0-0', '1-1'],
  },
  {
    why: 'because his session was deleted while the house was off',
    // It was open until he was here last, and has been again for all days but one.
    came: 60,
    known: 31,
    held: ['31-61', '0-28', '29-29'],
  },
  {
    why: 'because his network was deleted while the house was off',
    // He was here last ninety-one days ago: on the fifth of the first thirty days.
    came: 200,
    held: ['66-95', '0-4', '5-5'],
  },
])('a visitor is not idle $why', async ({ came, known, held }) => {
  await database.freezeClock(START)
  await visitor(came, known)
  for (const [n, days] of held.entries()) {
    const [from = 0, to = 0] = days.split('-').map(Number)
    await heldDays(from, to)
    expect(await closeIdleVisitors(db), days).toBe(n === 2 ? 1 : 0)
  }
})

it('a visitor who comes back while his account is to be closed keeps it', async () => {
  await heldDays(0, 29)
  const id = await visitor(31)
  const closed = await answerAfter(database, {
    first: (tx) => tx.query('select from accounts.player where id = $1 for share', [id]),
    second: () => closeIdleVisitors(db),
    whileWaiting: (tx) => startSession(tx, { playerId: id, passwordHash: null, netAtStart: 0n }),
  })
  expect(closed).toBe(0)
  expect(await owner.column('select state from accounts.player')).toEqual(['active'])
})

it('an account that is taken back while a thief’s call to close it is checked stays open', async () => {
  const { id: playerId, token } = await addSeatedPlayer(database, { u: 0 })
  const session = hashSecret(token)
  const link = hashSecret('link')
  await owner.query('insert into accounts.security_link (token_hash, player_id) values ($1, $2)', [
    ...[link, playerId],
  ])
  const closing = await answerAfter(database, {
    first: (tx) => tx.query('select accounts.take_back($1)', [link]),
    second: () => closeAccount(db, { playerId, session }),
  })
  expect(closing).toEqual({ refused: 'session_replaced' })
  expect(await owner.column('select state from accounts.player')).toEqual(['active'])
})

it('a picture that comes while the account is being closed is not kept', async () => {
  const playerId = await addPlayer(database, { u: 0 })
  const bytes = await picture('png')
  const saved = await answerAfter(database, {
    first: (tx) => callFunction(tx, 'own_account.close_account', playerId, null, null),
    second: () => savePicture(db, { playerId, fileName: 'me.png', bytes, limited: false }),
  })
  expect(saved).toEqual({ refused: 'session_replaced' })
  expect(await owner.query('select from accounts.uploaded_picture')).toEqual([])
})

describe('the retention time after closing', () => {
  /** The account that is to be closed. */
  async function member({ u = 0 } = {}): Promise<number> {
    await database.freezeClock(START)
    await writeClosedKept(owner, 365)
    return addMemberWithData(database, { u })
  }

  it('begins without what no law asks for: his picture, his devices, and what only he could sign in with', async () => {
    const [playerId, other] = [await member(), await addMemberWithData(database, { u: 1 })]
    const before = await tablesWith(playerId)
    await closeAccount(db, { playerId, session: null })
    expect(await tablesWith(other)).toEqual(before)
    const kept = await tablesWith(playerId)
    expect(before.filter((table) => !kept.includes(table)).toSorted()).toEqual([
      ...['accounts.known_device', 'accounts.recovery_code', 'accounts.second_factor'],
      ...['accounts.security_code', 'accounts.uploaded_picture'],
      ...['inbox.push_choice', 'inbox.push_subscription', 'own_account.data_file'],
    ])
    const avatar = 'select avatar from accounts.player where id = $1'
    expect(await owner.value(avatar, [playerId])).toBe('preset:1')
  })

  it('ends exactly at its end, and not 1 ms before: then no data identifies the player', async () => {
    const playerId = await member({ u: 5 })
    const name = 'mai_tran_5'
    const journal = () => owner.query('select * from ledger.posting order by id')
    // No value that could appear in the bytes of a hash by chance.
    const own = [
      ...[name, 'Mai Tran', '•••• 4242', 'A••••1', 'Bank of Hanoi', '/uploads/mai', '192.0.2.28'],
      ...['Mai’s browser', 'Mai’s phone', 'mai@old.example', 'm***@tran.example', 'Mrs. Tran'],
      '2011}',
    ]
    const places = await placesOf(own)
    expect(new Set(places.map(({ found }) => found))).toEqual(new Set(own))
    await closeAccount(db, { playerId, session: null })
    const before = await journal()
    await database.freezeClock(START + 365 * DAY_MS - 1)
    expect(await anonymiseClosed(db)).toBe(0)
    await database.freezeClock(START + 365 * DAY_MS)
    expect(await anonymiseClosed(db)).toBe(1)
    expect(await anonymiseClosed(db)).toBe(0)
    expect(await placesOf(own)).toEqual([])
    expect(await journal()).toEqual(before)
    await expectAlwaysTrue(owner)
    // The address and the name can be used again.
    expect(await addPlayer(database, { u: 0, name })).toBeGreaterThan(playerId)
  })

  it('empties each table that names a player, or it stays for a reason, and so does each of its texts', async () => {
    const playerId = await member()
    const all = [...OWN_TABLES.map(({ table }) => table), ...Object.keys(LEFT_OUT)]
    // That his file has all of them is tested where it is made.
    expect(await tablesWith(playerId)).toEqual(all.filter((table) => !KEPT[table]))
    const texts = await owner.column<string>(
      `select attrelid::regclass || '.' || attname from pg_attribute join pg_type on pg_type.oid = atttypid
       where attrelid = any ($1::regclass[]) and attnum > 0 and not attisdropped
         and coalesce(nullif(typbasetype, 0), nullif(typelem, 0), atttypid)
           in ('text'::regtype, 'jsonb'::regtype, 'json'::regtype, 'bytea'::regtype)`,
      [Object.keys(KEPT)],
    )
    const named = Object.entries(KEPT).flatMap(([table, kept]) =>
      Object.values(kept).flatMap((names) =>
        names.split(' ').map((column) => `${table}.${column}`),
      ),
    )
    expect(texts.toSorted()).toEqual(named.toSorted())
    await closeAccount(db, { playerId, session: null })
    await database.freezeClock(START + 365 * DAY_MS)
    expect(await anonymiseClosed(db)).toBe(1)
    expect(await tablesWith(playerId)).toEqual([])
  })

  it('leaves of a player’s log all that tells nothing of him, and nothing else can change it', async () => {
    const playerId = await member()
    const change = 'update protection.change set'
    for (const set of [
      `details = details || '{"name": "another"}'`,
      `details = '{}', what = 'push_on' where what = 'passkey_added'`,
      `at = at + interval '1 s', details = '{}' where what = 'passkey_added'`,
      `details = details - 'name' || '{"born": 1990}'`,
    ]) {
      await expect(owner.query(`${change} ${set}`)).rejects.toThrow(/never change/)
    }
    await expect(owner.query('delete from protection.change')).rejects.toThrow(/never change/)
    await closeAccount(db, { playerId, session: null })
    await database.freezeClock(START + 365 * DAY_MS)
    await anonymiseClosed(db)
    expect(await owner.query('select what, details from protection.change order by id')).toEqual(
      ['passkey_added', 'email_changed', 'review_begun', 'review_released', 'account_closed'].map(
        (what) => ({ what, details: {} }),
      ),
    )
  })

  it('leaves out an account whose rest is being requested at that moment', async () => {
    const playerId = await member({ u: 5 })
    await closeAccount(db, { playerId, session: null })
    await database.freezeClock(START + 365 * DAY_MS)
    await owner.transaction(async (tx) => {
      await tx.query('select withdrawals.lock_closed($1)', [playerId])
      expect(await anonymiseClosed(db)).toBe(0)
    })
    expect(await anonymiseClosed(db)).toBe(1)
  })

  it('is not shortened by the application, and never begins for an open account', async () => {
    const playerId = await member()
    await database.freezeClock(START + 4_000 * DAY_MS)
    expect(await anonymiseClosed(db)).toBe(0)
    await expect(db.query(`update own_account.terms set closed_kept = '1 day'`)).rejects.toThrow(
      /permission denied/,
    )
    await expect(
      db.query(`update accounts.player set state = 'active' where id = $1`, [playerId]),
    ).rejects.toThrow(/permission denied/)
  })
})
