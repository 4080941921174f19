/** The SQL that finds and lists players. */
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import type { ListedPlayer } from '@sum28/contract/staff-players-routes.ts'
import { addDays, startOfDay } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { type Ask, pageOf } from '#src/db/list.ts'
import { signInName } from '#src/modules/accounts/sign-in-guard.ts'
import { keyOfOrder } from '#src/modules/bets/receipt.ts'
import { bankReference } from '#src/modules/deposits/bank-deposit.ts'
import type { RowOf } from '#src/wire-form.ts'

export type PlayersRequest = Ask<{
  q: string
  /** Only players whose number, name or e-mail address `q` is. */
  match: 'whole'
  state: ListedPlayer['state']
  groupId: 1 | 2
  /** Calendar days in the operator's zone, both inclusive. */
  fromDay: string
  untilDay: string
}>

type PlayerRow = RowOf<ListedPlayer, 'cash' | 'held'>

const PLAYERS = {
  columns: `player.id, username, email, group_id as "groupId", state, cash, held, player.created_at as "registeredAt"`,
  from: 'accounts.player join ledger.balance on holder_id = player.id',
  sorts: {
    registered_at: { sql: 'player.created_at', type: 'time' },
    username: { sql: 'player.username_key', type: 'text' },
  },
  id: { sql: 'player.id', type: 'bigint' },
} as const

/** One page of the selected players; robots are not included. */
export async function playersPage(db: Queryable, zone: string, ask: PlayersRequest) {
  const { q, match, fromDay, untilDay } = ask
  const matches =
    q === undefined ? null : await (match === 'whole' ? named(db, q) : playersMatching(db, q))
  const source = { ...PLAYERS, values: matches ? [matches.ids, matches.pattern] : [] }
  return pageOf<PlayerRow>(db, source, ask, {
    'accounts.is_person(player)': true,
    '(player.id = any ($1::integer[]) or username_key like $2 or email_key like $2)':
      matches && true,
    'state = ?': ask.state,
    'group_id = ?': ask.groupId,
    'player.created_at >= ?': fromDay && new Date(startOfDay(zone, fromDay)),
    'player.created_at < ?': untilDay && new Date(startOfDay(zone, addDays(untilDay, 1))),
  })
}

/**
 * If at most this many players match by name or e-mail, the list is read by the indexes of these. If there are more,
 * reading in the order of the list soon finds enough for a page.
 */
const NAMED_MAX = 5_000

type PlayerMatches = {
  ids: number[]
  /** Of names and addresses; then they are in the list too. */
  pattern: string | null
}

/**
 * The players with exactly this number, deposit address, own wallet, last four characters of a card, order, transaction,
 * reference of the bank or own reference for it, and those whose name or e-mail contains it; begins with it if it has only
 * one or two letters.
 */
async function playersMatching(db: Queryable, q: string): Promise<PlayerMatches> {
  const found = await Promise.all(
    [ownersOf, placedBy, receivedBy, payeesOf, payersOf].map((by) => by(db, q)),
  )
  const ids = [...found.flat(), ...referredTo(q), ...numbersIn(q)]
  const text = asciiLowerCase(signInName(q))
  const begin = `${text.replace(/[\\%_]/g, '\\$&')}%`
  const contains = text.length >= PART_LENGTH
  const pattern = contains ? `%${begin}` : begin
  const byName = await (contains
    ? playersContaining(db, { text, pattern })
    : playersBeginning(db, pattern))
  return byName ? { ids: [...ids, ...byName], pattern: null } : { ids, pattern }
}

/** The players with exactly this number, name or e-mail address. */
async function named(db: Queryable, q: string): Promise<PlayerMatches> {
  const rows = await db.query<{ id: number }>(
    'select id from accounts.player where username_key = $1 or email_key = $1',
    [signInName(q)],
  )
  return { ids: [...rows.map(({ id }) => id), ...numbersIn(q)], pattern: null }
}

function numbersIn(q: string): number[] {
  return /^\d{1,9}$/.test(q) ? [Number(q)] : []
}

/** Of the parts in the index `player_by_part`. */
const PART_LENGTH = 3

/** The players whose name or e-mail contains a text; null if there are more than {@link NAMED_MAX}. */
async function playersContaining(
  db: Queryable,
  { text, pattern }: { text: string; pattern: string },
): Promise<number[] | null> {
  const rows = await db.query<{ id: number }>(
    `select id from accounts.player
     where accounts.is_person(player) and app.parts_of(username_key || ' ' || coalesce(email_key, '')) @> app.parts_of($1)
       and (username_key like $2 or email_key like $2)
     limit $3`,
    [text, pattern, NAMED_MAX + 1],
  )
  return rows.length > NAMED_MAX ? null : rows.map(({ id }) => id)
}

/** The players whose name or e-mail begins so; null if there are more than {@link NAMED_MAX}. */
async function playersBeginning(db: Queryable, pattern: string): Promise<number[] | null> {
  const rows = await db.query<{ id: number }>(
    `(select id from accounts.player where accounts.is_person(player) and username_key like $1 limit $2)
     union all
     (select id from accounts.player where accounts.is_person(player) and email_key like $1 limit $2)`,
    [pattern, NAMED_MAX + 1],
  )
  return rows.length > NAMED_MAX ? null : rows.map(({ id }) => id)
}

async function ownersOf(db: Queryable, address: string): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    'select player_id as id from deposits.address where address = $1',
    [address],
  )
  return rows.map(({ id }) => id)
}

/** The player whom a transaction on the chain was credited to, or is held for. */
async function receivedBy(db: Queryable, txId: string): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    'select player_id as id from deposits.transfer where tx_id = lower($1) and player_id is not null',
    [txId],
  )
  return rows.map(({ id }) => id)
}

/** The players who have or had this wallet, or a card or wallet that ends so. */
async function payeesOf(db: Queryable, q: string): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select distinct player_id as id from withdrawals.pay_method
     where id = any (withdrawals.methods_ending($1)) limit $2`,
    [q, NAMED_MAX],
  )
  return rows.map(({ id }) => id)
}

/** The player of the bank deposits with this reference of the bank. */
async function payersOf(db: Queryable, q: string): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select player_id as id from staff.proposal
     where kind = 'bank_deposit' and app.reference_key(content ->> 'reference') = app.reference_key($1) limit 100`,
    [q],
  )
  return rows.map(({ id }) => id)
}

/** The player whose own reference for bank transfers this is. */
function referredTo(q: string): number[] {
  const bare = q.replaceAll(' ', '').toUpperCase()
  const id = Number(/^RF\d{2}(\d{1,9})$/.exec(bare)?.[1])
  return bankReference(id || 0) === bare ? [id] : []
}

/** The player who placed the order of this number. */
async function placedBy(db: Queryable, orderNo: string): Promise<number[]> {
  const key = keyOfOrder(orderNo)
  if (!key) return []
  // Found in the index of each room's bets.
  const rows = await db.query<{ id: number }>(
    `select player_id as id from bets.bet
     where room_id = any (array(select room.id from games.room))
       and id = $1::bigint and booked_on = $2 and order_no = $3`,
    [key.id, key.bookedOn, orderNo],
  )
  return rows.map((row) => row.id)
}
