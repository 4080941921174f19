/** The networks from which a player has signed in: stored as keyed hashes, for a limited time. */
import type { Queryable } from '#src/db/database.ts'

/** How long a network is known after the last sign-in. */
const KNOWN_DAYS = 90

export async function isKnownNetwork(
  db: Queryable,
  { playerId, networkHash }: { playerId: number | null; networkHash: Buffer },
): Promise<boolean> {
  const rows = await db.query(
    `select from accounts.known_network where player_id = $1 and network_hash = $2
       and last_at > app.now() - make_interval(days => ${KNOWN_DAYS})`,
    [playerId, networkHash],
  )
  return rows.length > 0
}

/** The same for the player with a canonical address; false if there is none. */
export async function isKnownNetworkOfAddress(
  db: Queryable,
  { email, networkHash }: { email: string; networkHash: Buffer },
): Promise<boolean> {
  const [player] = await db.query<{ id: number }>(
    `select id from accounts.player where email_key = $1`,
    [email],
  )
  return isKnownNetwork(db, { playerId: player?.id ?? null, networkHash })
}

export async function knowNetwork(
  db: Queryable,
  { playerId, networkHash }: { playerId: number; networkHash: Buffer },
): Promise<void> {
  await db.query(
    `insert into accounts.known_network (player_id, network_hash) values ($1, $2)
     on conflict (player_id, network_hash) do update set last_at = app.now()`,
    [playerId, networkHash],
  )
}
