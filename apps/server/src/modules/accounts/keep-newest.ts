/** Bounds the rows that one player can have in a table: what concerns all of them must be done in one statement. */
import type { Queryable } from '#src/db/database.ts'

/** Of sessions, remembered devices and networks: more than anybody's sign-ins make until old ones are deleted anyway. */
export const ROWS_OF_PLAYER = 1_000

/** Each sign-in adds one row and deletes up to so many. */
const DELETED_AT_ONCE = 200

/** The tables by the key of a row, which is one with its player, and by its age. */
const TABLES = {
  'accounts.session': { key: 'token_hash', age: 'created_at' },
  'accounts.remembered_device': { key: 'secret_hash', age: 'created_at' },
  'accounts.known_device': { key: 'secret_hash', age: 'last_at' },
  'accounts.known_network': { key: 'network_hash', age: 'last_at' },
} as const

/** Deletes the oldest rows of a player beyond his newest; one that is locked stays until the next time. */
export async function keepNewest(
  db: Queryable,
  {
    playerId,
    table,
    max = ROWS_OF_PLAYER,
  }: { playerId: number; table: keyof typeof TABLES; max?: number },
): Promise<void> {
  const { key, age } = TABLES[table]
  await db.query(
    `delete from ${table} where player_id = $1 and ${key} in (
       select ${key} from ${table} where player_id = $1 and ${key} in (
         select ${key} from ${table} where player_id = $1
         order by ${age} desc, ${key} offset $2 limit ${DELETED_AT_ONCE})
       for no key update skip locked)`,
    [playerId, max],
  )
}
