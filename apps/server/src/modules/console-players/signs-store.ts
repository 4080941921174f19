/** Early signs of harmful play, and the contacts with players about them. */
import { callFunction, only, type Queryable, type Transaction } from '#src/db/database.ts'
import { type KeyColumn, type KeyedRow, type KeysetRequest, keyset } from '#src/db/keyset.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import type { ListPage } from './player-lists.ts'

export type SignKind =
  | 'deposits_growing'
  | 'limits_raised'
  | 'chasing_losses'
  | 'nights'
  | 'withdrawals_rejected'

export type SignRow = {
  id: bigint
  playerId: number
  username: string
  kind: SignKind
  sinceDay: string
  untilDay: string
  /** Amounts in micro-units, as text. */
  facts: { day: string; values: Record<string, string> }[]
  contactAt: number | null
}

/** Searches for signs in the days up to a past one; null if that was done before. */
export async function findSignsUntil(db: Queryable, day: string): Promise<number | null> {
  const rows = await db.query<{ found: number | null }>(
    'select console_players.find_signs($1) as found',
    [day],
  )
  return only(rows).found
}

/** All signs, the latest first; `q`: of one player, by number or name. */
export async function signPage(
  db: Queryable,
  {
    kind,
    playerId,
    q,
    ...ask
  }: KeysetRequest & {
    kind?: SignKind | undefined
    playerId?: number | undefined
    q?: string | undefined
  },
): Promise<ListPage<SignRow> | Refusal> {
  const id: KeyColumn = { sql: 'sign.id', type: 'bigint' }
  const key = keyset(ask, { sorts: { id }, id, firstValue: 4 })
  if (isRefusal(key)) return key
  const rows = await db.query<SignRow & KeyedRow>(
    `select sign.id, sign.player_id as "playerId", username, sign.kind, since_day::text as "sinceDay",
       until_day::text as "untilDay", facts, contact.written_at as "contactAt", ${key.columns}
     from console_players.sign join accounts.player on player.id = sign.player_id
       left join lateral (select written_at from console_players.contact
         where contact.player_id = sign.player_id order by contact.id desc limit 1) contact on true
     where ($1::text is null or sign.kind = $1) and ($2::integer is null or sign.player_id = $2)
       and ($3::text is null or sign.player_id = any (accounts.players_called($3)))
       and ${key.where} ${key.tail}`,
    [kind ?? null, playerId ?? null, q ?? null, ...key.values],
  )
  return key.page(rows)
}

export type Channel = 'phone' | 'mail' | 'chat'

export type ContactRow = {
  id: bigint
  by: string
  writtenAt: number
  day: string
  channel: Channel
  text: string
}

/** The contacts of staff with a player, newest first. */
export async function contactsOf(
  db: Queryable,
  { playerId, ...ask }: KeysetRequest & { playerId: number },
): Promise<ListPage<ContactRow> | Refusal> {
  const id: KeyColumn = { sql: 'contact.id', type: 'bigint' }
  const key = keyset(ask, { sorts: { id }, id, firstValue: 2 })
  if (isRefusal(key)) return key
  const rows = await db.query<ContactRow & KeyedRow>(
    `select contact.id, member.name as by, written_at as "writtenAt", day::text as day, channel, text,
       ${key.columns}
     from console_players.contact join staff.member on member.id = written_by
     where player_id = $1 and ${key.where} ${key.tail}`,
    [playerId, ...key.values],
  )
  const { list, next } = key.page(rows)
  return { list: list.map(({ keyValue: _value, keyId: _id, ...row }) => row), next }
}

export type Contact = {
  playerId: number
  day: string
  channel: Channel
  text: string
  session: string
}

export function insertContact(
  tx: Transaction,
  { playerId, day, channel, text, session }: Contact,
): Promise<'set' | 'not_found'> {
  return callFunction(tx, 'console_players.add_contact($1, $2, $3, $4, $5)', [
    playerId,
    day,
    channel,
    text,
    session,
  ])
}
