/**
 * One process drives each game, chosen by a PostgreSQL advisory lock that lives as long as its
 * connection: when the process dies, or its connection breaks, another takes over.
 */
import pg from 'pg'

const LOCK_SPACE = 28

export type Leadership = {
  /** Whether this process drives the game; tries to become its driver where nobody is. */
  holds(gameId: number): Promise<boolean>
  close(): Promise<void>
}

export function leadership(url: string): Leadership {
  let client: pg.Client | null = null
  let held = new Set<number>()

  async function connect(): Promise<pg.Client> {
    if (client) return client
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: 'sum28 engine',
    })
    const lost = () => {
      if (client === fresh) {
        client = null
        held = new Set()
      }
    }
    fresh.on('error', lost)
    fresh.on('end', lost)
    await fresh.connect()
    client = fresh
    return fresh
  }

  let queue: Promise<unknown> = Promise.resolve()
  async function tryLock(gameId: number): Promise<boolean> {
    const { rows } = await (await connect()).query<{ got: boolean }>(
      held.has(gameId)
        ? 'select true as got'
        : `select pg_try_advisory_lock(${LOCK_SPACE}, ${gameId}) as got`,
    )
    if (rows[0]?.got) held.add(gameId)
    return rows[0]?.got ?? false
  }

  return {
    holds(gameId) {
      const answer = queue.then(() => tryLock(gameId))
      queue = answer.catch(() => {})
      return answer
    },
    async close() {
      await queue
      const closing = client
      client = null
      await closing?.end().catch(() => {})
    },
  }
}
