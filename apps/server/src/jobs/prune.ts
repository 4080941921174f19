/** What is not kept for ever, taken away in small steps. */
import type { Database } from '#src/db/database.ts'

/** For how many days what is kept. */
export type Retention = {
  /** Sessions since they were last used; remembered devices since they ran out. */
  readonly sessions: number
  /** Messages to players. */
  readonly messages: number
  /** That a mail was sent, and the codes in it, long used or run out. */
  readonly mail: number
  /** Idempotency keys and what was answered to them. */
  readonly keys: number
  /** Pictures of the house since nothing names them. */
  readonly pictures: number
}

/** How long a network is known after a player's last sign-in from it. */
const NETWORKS_DAYS = 90

/** No count looks back for longer. */
const COUNTS_DAYS = 2

/** Rows that one statement takes away: none holds its locks for long, nor fills the log at once. */
const BATCH = 1_000

type Kind = { table: string; age: string; days: (kept: Retention) => number }

/** Of each table the column by which a row is old; there is an index on it. */
const KINDS: readonly Kind[] = [
  { table: 'accounts.session', age: 'seen_at', days: ({ sessions }) => sessions },
  { table: 'accounts.remembered_device', age: 'expires_at', days: ({ sessions }) => sessions },
  { table: 'accounts.email_code', age: 'created_at', days: ({ mail }) => mail },
  { table: 'accounts.known_network', age: 'last_at', days: () => NETWORKS_DAYS },
  { table: 'accounts.counter', age: 'last_at', days: () => COUNTS_DAYS },
  { table: 'app.sent_mail', age: 'sent_at', days: ({ mail }) => mail },
  { table: 'inbox.message', age: 'created_at', days: ({ messages }) => messages },
  { table: 'wallet.idempotency_key', age: 'created_at', days: ({ keys }) => keys },
  { table: 'app.request_key', age: 'created_at', days: ({ keys }) => keys },
]

/**
 * Takes away what is older than it is kept, step by step, each a transaction of its own, until there is
 * no more or the signal ends it. A row that somebody uses just then stays for the next time.
 *
 * @returns how many rows went of each table that had any
 */
export async function prune(
  db: Database,
  kept: Retention,
  { signal, batch = BATCH }: { signal?: AbortSignal; batch?: number } = {},
): Promise<Record<string, number>> {
  const gone: Record<string, number> = {}
  for (const { table, age, days } of KINDS) {
    for (;;) {
      if (signal?.aborted) return gone
      // The moment in a query of its own: asked for each row, the clock would keep the index unused.
      const rows = await db.query(
        `delete from ${table} where ctid = any (array(
           select ctid from ${table}
           where ${age} < (select app.now() - make_interval(days => $1))
           order by ${age} limit $2 for update skip locked))
         returning 1`,
        [days(kept), batch],
      )
      if (rows.length > 0) gone[table] = (gone[table] ?? 0) + rows.length
      if (rows.length < batch) break
    }
  }
  while (!signal?.aborted) {
    const [row] = await db.query<{ done: number }>('select bets.forget_room_stakes($1) as done', [
      batch,
    ])
    const done = row?.done ?? 0
    if (done > 0) gone['bets.room_stake'] = (gone['bets.room_stake'] ?? 0) + done
    if (done < batch) break
  }
  return gone
}
