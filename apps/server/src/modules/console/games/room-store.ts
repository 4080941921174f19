/** The SQL of rooms as the console shows them: limits, odds, and whether a change is pending. */
import type { ROOM_CHANGE_STATES, RoomTerms } from '@sum28/contract/staff-games-routes.ts'
import type { Amount } from '@sum28/domain/money.ts'
import type { Queryable } from '#src/db/database.ts'
import type { RowOf } from '#src/wire-form.ts'

export type ChangeState = (typeof ROOM_CHANGE_STATES)[number]

export type Limits = { stakeMin: Amount; stakeMax: Amount; entryMin: Amount }

export type RoomRow = RowOf<Omit<RoomTerms, 'odds'>, keyof Limits>

const ROOM = `select room.id, game_id as "gameId", game.name as "gameName", title, type,
    stake_min as "stakeMin", stake_max as "stakeMax", entry_min as "entryMin",
    rules_version as "rulesVersion",
    (select state from console_games.room_change
      where room_id = room.id and state in ('proposed', 'confirmed')) as waiting
  from games.room join games.game on game.id = game_id`

export function roomRows(db: Queryable): Promise<RoomRow[]> {
  return db.query<RoomRow>(`${ROOM} order by game_id, type, room.id`)
}

/** One room, or undefined if there is no such room. */
export async function roomRow(db: Queryable, roomId: number): Promise<RoomRow | undefined> {
  const [room] = await db.query<RoomRow>(`${ROOM} where room.id = $1`, [roomId])
  return room
}

/** The names of what the effective changes since a version have changed: limits, and rules as `odds 401`. */
export async function changedSince(
  db: Queryable,
  { roomId, version }: { roomId: number; version: number },
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `with since as (
       select * from console_games.room_change
       where room_id = $1 and state = 'effective' and base_version >= $2
     )
     select 'stake_min' as name from since where stake_min <> stake_min_before
     union select 'stake_max' from since where stake_max <> stake_max_before
     union select 'entry_min' from since where entry_min <> entry_min_before
     union select 'odds ' || rule.outcome from since
       join console_games.odds_change on change_id = since.id
       join games.rule on rule.id = rule_id
     order by name`,
    [roomId, version],
  )
  return rows.map(({ name }) => name)
}
