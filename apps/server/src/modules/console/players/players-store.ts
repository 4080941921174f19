/** The SQL that finds and lists players. */
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import type { ListedPlayer } from '@sum28/contract/staff-players-routes.ts'
import { addDays, startOfDay } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { type Ask, pageOf } from '#src/db/list.ts'
import { signInName } from '#src/modules/accounts/sign-in-guard.ts'
import { keyOfOrder } from '#src/modules/bets/receipt.ts'
import { bankReference } from '#src/modules/deposits/bank-deposit.ts'
import { RETURNED_RESTS } from '#src/modules/withdrawals/request-rest.ts'
import type { RowOf } from '#src/wire-form.ts'

export type PlayersRequest = Ask<{
  q: string
  /** Only players whose number, name or e-mail address `q` is. */
  match: 'whole'
  state: ListedPlayer['state']
  /** Only closed accounts to which money came back unpaid. */
  due: 'now'
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
    ...(ask.due && { [`player.id = any (array(select id from (${RETURNED_RESTS}) rest))`]: true }),
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
  const found = await Promise.all(OF_OTHER_THINGS.map((text) => db.column<number>(text, [q])))
  const ids = [...found.flat(), ...(await placedBy(db, q)), ...referredTo(q), ...numbersIn(q)]
  const text = asciiLowerCase(signInName(q))
  const begin = `${text.replace(/[\\%_]/g, '\\$&')}%`
  const contains = text.length >= PART_LENGTH
  const pattern = contains ? `%${begin}` : begin
  const byName = contains
    ? await db.column<number>(CONTAINING, [pattern, NAMED_MAX + 1, text])
    : await db.column<number>(BEGINNING, [pattern, NAMED_MAX + 1])
  return byName.length > NAMED_MAX ? { ids, pattern } : { ids: [...ids, ...byName], pattern: null }
}

/** The players with exactly this number, name or e-mail address. */
async function named(db: Queryable, q: string): Promise<PlayerMatches> {
  const text = 'select id from accounts.player where username_key = $1 or email_key = $1'
  const ids = await db.column<number>(text, [signInName(q)])
  return { ids: [...ids, ...numbersIn(q)], pattern: null }
}

function numbersIn(q: string): number[] {
  return /^\d{1,9}$/.test(q) ? [Number(q)] : []
}

/** Of the parts in the index `player_by_part`. */
const PART_LENGTH = 3

/** The players whose name or e-mail contains a text. */
const CONTAINING = `select id from accounts.player
  where accounts.is_person(player) and app.parts_of(username_key || ' ' || coalesce(email_key, '')) @> app.parts_of($3)
    and (username_key like $1 or email_key like $1)
  limit $2`

/** The players whose name or e-mail begins so. */
const BEGINNING = `
  (select id from accounts.player where accounts.is_person(player) and username_key like $1 limit $2)
  union all
  (select id from accounts.player where accounts.is_person(player) and email_key like $1 limit $2)`

/** Each finds players by something else than their names. */
const OF_OTHER_THINGS = [
  'select player_id as id from deposits.address where address = $1',
  // Whom a transaction on the chain was credited to, or is held for.
  'select player_id as id from deposits.transfer where tx_id = lower($1) and player_id is not null',
  // Who have or had this wallet, or a card or wallet that ends so.
  `select distinct player_id as id from withdrawals.pay_method
   where id = any (withdrawals.methods_ending($1)) limit ${NAMED_MAX}`,
  `select player_id as id from staff.proposal
   where kind = 'bank_deposit' and app.reference_key(content ->> 'reference') = app.reference_key($1) limit 100`,
]

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
  const text = `select player_id as id from bets.bet
    where room_id = any (array(select room.id from games.room))
      and id = $1::bigint and booked_on = $2 and order_no = $3`
  return db.column<number>(text, [key.id, key.bookedOn, orderNo])
}
