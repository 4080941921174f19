import { addPlayer } from './fixtures.ts'
import type { TestDatabase } from './test-database.ts'

/** Sessions and devices of the player: live ones, and those that were over before; and of another player. */
export async function addSessions(
  database: TestDatabase,
  playerId: number,
  before: number,
): Promise<void> {
  const other = await addPlayer(database)
  await database.owner.query(
    `insert into accounts.session (token_hash, player_id, net_at_start, ended_at, ended_by) values
       ('1 live', $1, 0, null, null), ('2 left before', $1, 0, $3, 'logout'), ('3 of another', $2, 0, null, null)`,
    [playerId, other, new Date(before)],
  )
  await database.owner.query(
    `insert into accounts.remembered_device (secret_hash, player_id, expires_at, used_at, ended_at) values
       ('1 live', $1, 'infinity', null, null), ('2 used', $1, 'infinity', $3, null),
       ('3 left before', $1, 'infinity', null, $3), ('4 of another', $2, 'infinity', null, null)`,
    [playerId, other, new Date(before)],
  )
}
