/** Early signs of harmful play, the contacts with players about them, and the register of protection. */
import type {
  ListedSign,
  ProtectionEntry,
  playerContacts,
} from '@sum28/contract/staff-protection-routes.ts'
import { addDays, dayOf } from '@sum28/domain/schedule.ts'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { type Ask, type ItemOf, type Keyset, pageOf } from '#src/db/list.ts'
import type { Resources } from '#src/resources.ts'
import type { RowOf } from '#src/wire-form.ts'

export type SignRow = RowOf<ListedSign>

/** Searches for signs in the days up to a past one; null if that was done before. */
export function findSignsUntil(db: Queryable, day: string): Promise<number | null> {
  return callFunction(db, 'console_players.find_signs', day)
}

const SIGNS = {
  columns: `sign.id, sign.player_id as "playerId", username, sign.kind, since_day::text as "sinceDay",
    until_day::text as "untilDay", facts, contact.written_at as "contactAt"`,
  from: `console_players.sign join accounts.player on player.id = sign.player_id
    left join lateral (select written_at from console_players.contact
      where contact.player_id = sign.player_id order by contact.id desc limit 1) contact on true`,
  id: { sql: 'sign.id', type: 'bigint' },
} as const

/** All signs, the latest first; `q`: of one player, by number or name. */
export function signPage(
  db: Queryable,
  ask: Ask<{ kind: ListedSign['kind']; playerId: number; q: string }>,
) {
  return pageOf<SignRow>(db, SIGNS, ask, {
    'sign.kind = ?': ask.kind,
    'sign.player_id = ?': ask.playerId,
    'sign.player_id = any (accounts.players_called(?))': ask.q,
  })
}

export type ContactRow = RowOf<ItemOf<typeof playerContacts>>

const CONTACTS = {
  columns:
    'contact.id, member.name as by, written_at as "writtenAt", day::text as day, channel, text',
  from: 'console_players.contact join staff.member on member.id = written_by',
  id: { sql: 'contact.id', type: 'bigint' },
} as const

export function contactsOf(db: Queryable, ask: Ask & { playerId: number }) {
  return pageOf<ContactRow>(db, CONTACTS, ask, { 'player_id = ?': ask.playerId })
}

/** No column of the register that only another kind of entry has. */
const NONE = {
  mayReturnAt: `null::timestamptz as "mayReturnAt"`,
  limit: `null::text as "limitChange", null::text as "limitKind", null::text as "limitPeriod",
    null::bigint as "limitBefore", null::bigint as amount`,
  contact: 'null::integer as written_by, null::text as channel, null::text as text',
}

const EXCLUSIONS = (kind: 'time_out' | 'self_exclusion') => `
  select 'exclusion:' || id as id, began_at as at, kind, player_id,
    ${
      kind === 'time_out'
        ? `ends_at as "endsAt", ${NONE.mayReturnAt}`
        : 'end_requested_at + protection.end_wait() as "endsAt", ends_at as "mayReturnAt"'
    }, ${NONE.limit}, ${NONE.contact}
  from protection.exclusion where kind = '${kind}'`

/** What each kind of entry is read from, by an index of its times. */
const ENTRIES: Record<ProtectionEntry['kind'], string> = {
  time_out: EXCLUSIONS('time_out'),
  self_exclusion: EXCLUSIONS('self_exclusion'),
  return: `
    select 'return:' || id as id, end_requested_at as at, 'return' as kind, player_id,
      end_requested_at + protection.end_wait() as "endsAt", ends_at as "mayReturnAt", ${NONE.limit}, ${NONE.contact}
    from protection.exclusion where end_requested_at is not null`,
  limit: `
    select 'limit:' || player_id || ':' || id as id, at, 'limit' as kind, player_id, null::timestamptz as "endsAt",
      ${NONE.mayReturnAt}, substr(what, 7) as "limitChange", details ->> 'kind' as "limitKind",
      details ->> 'period' as "limitPeriod", (details ->> 'before')::bigint as "limitBefore",
      (details ->> 'after')::bigint as amount, ${NONE.contact}
    from protection.change where what in ('limit_lowered', 'limit_raise_asked', 'limit_raised', 'limit_same')`,
  contact: `
    select 'contact:' || id as id, written_at as at, 'contact' as kind, player_id, null::timestamptz as "endsAt",
      ${NONE.mayReturnAt}, ${NONE.limit}, written_by, channel, text
    from console_players.contact`,
}

/** The register of protection; `q`: of one player, by number or name. */
export function protectionPage(
  db: Queryable,
  { kind, q, ...ask }: Ask<{ kind: ProtectionEntry['kind']; q: string }>,
) {
  const kinds = kind ? [ENTRIES[kind]] : Object.values(ENTRIES)
  const whose = q === undefined ? 'true' : 'player_id = any (accounts.players_called($1))'
  const pages = (key: Keyset) =>
    kinds.map((of) => `(select * from (${of}) entry where ${whose} and ${key.where} ${key.tail})`)
  return pageOf<RowOf<ProtectionEntry, 'amount' | 'limitBefore'>>(
    db,
    {
      columns: `entry.id, entry.at, entry.kind, entry.player_id as "playerId", username, "endsAt", "mayReturnAt", "limitChange",
        "limitKind", "limitPeriod", "limitBefore", amount, member.name as by, channel, text`,
      from: (key) => `(${pages(key).join(' union all ')}) entry
        join accounts.player on player.id = entry.player_id left join staff.member on member.id = written_by`,
      values: q === undefined ? [] : [q],
      sorts: { at: { sql: 'entry.at', type: 'time' } },
      id: { sql: 'entry.id', type: 'text' },
    },
    ask,
  )
}

/**
 * Searches for early signs in the days up to yesterday, in the operator's zone. Only the first call of a day does it.
 *
 * @returns the number of signs; null if it was done before
 */
export function findSigns({
  db,
  timeZone,
  now,
}: Pick<Resources, 'db' | 'timeZone' | 'now'>): Promise<number | null> {
  return findSignsUntil(db, addDays(dayOf(timeZone, now()), -1))
}
