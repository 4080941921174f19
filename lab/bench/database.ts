import { randomBytes } from 'node:crypto'
import type { Database } from '@sum28/server/src/db/database.ts'

/** Adds players with a million u each, or another amount in micro-units; their ids, which follow one another. */
export async function addPlayers(
  owner: Database,
  count: number,
  { micro = 1_000_000_000_000n } = {},
): Promise<number[]> {
  const rows = await owner.query<{ id: number }>(
    `insert into accounts.player (username, email, email_key, group_id)
     select name, name || '@example.org', name || '@example.org', 1
     from generate_series(1, $1) n cross join lateral (select 'b' || $2 || n as name) named
     returning id`,
    [count, randomBytes(3).toString('hex')],
  )
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b)
  if (micro === 0n) return ids
  await owner.query(
    `select ledger.post(array_agg(
       row(id, current_date, 'deposit', 'house:treasury', 'cash', $2, 'bench')::ledger.posting_request))
     from unnest($1::integer[]) id`,
    [ids, String(micro)],
  )
  return ids
}
