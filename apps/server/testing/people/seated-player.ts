/** Existing players: with money and a session, registered directly in the database. */
import { startSession } from '#src/modules/accounts/session.ts'
import { addPlayer } from '../database/fixtures.ts'
import type { TestDatabase } from '../database/test-database.ts'

export type SeatedPlayer = { id: number; token: string }

export async function addSeatedPlayer(
  database: TestDatabase,
  { u = 10_000, name }: { u?: number; name?: string } = {},
): Promise<SeatedPlayer> {
  const id = await addPlayer(database, { u, ...(name ? { name } : {}) })
  const session = { playerId: id, passwordHash: null, netAtStart: 0n }
  const token = await startSession(database.db, session)
  if (token === null) throw new Error(`player ${id} cannot sign in`)
  await noteProof(database, id)
  return { id, token }
}

/** Notes in a player's sessions that he has just proved that it is him. */
export async function noteProof({ owner }: TestDatabase, playerId: number): Promise<void> {
  await owner.query('update accounts.session set proved_at = app.now() where player_id = $1', [
    playerId,
  ])
}

export function addSeatedPlayers(
  database: TestDatabase,
  count: number,
  balance: { u?: number } = {},
): Promise<SeatedPlayer[]> {
  return Promise.all(Array.from({ length: count }, () => addSeatedPlayer(database, balance)))
}

/** Changes a player's row as the database's owner; `set` is SQL. */
export async function changePlayer(
  { owner }: Pick<TestDatabase, 'owner'>,
  id: number,
  set: string,
): Promise<void> {
  await owner.query(`update accounts.player set ${set} where id = $1`, [id])
}

/** Since when a player's withdrawals are held, in Unix milliseconds; null if they are not. */
export async function heldSince(
  { owner }: Pick<TestDatabase, 'owner'>,
  id: number,
): Promise<number | null> {
  return owner.value<number | null>(
    'select sensitive_changed_at as at from accounts.player where id = $1',
    [id],
  )
}

/** As if a player had done this so often today; he has done it once. @param event as `countOfDay` counts it */
export async function setTimesToday(
  { owner }: Pick<TestDatabase, 'owner'>,
  { playerId, event, times }: { playerId: number; event: string; times: number },
): Promise<void> {
  await owner.query('update accounts.counter set tries = $1 where key = sha256($2::text::bytea)', [
    ...[times, `${event} of ${playerId}`],
  ])
}
