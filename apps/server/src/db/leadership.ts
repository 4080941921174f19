/**
 * One process drives each game. It is chosen by a PostgreSQL advisory lock that lasts as long as its connection: when
 * the process dies or its connection breaks, another process takes over.
 */
import pg from 'pg'

const LOCK_SPACE = 28

/** A query without an answer for this time means a dead connection, and the lead may be lost with it. */
const ANSWER_MS = 5_000

/** The server closes a connection without queries for this time, so that a hanging process does not keep the lead. */
const SILENCE_MS = 15_000

export type Leadership = {
  /**
   * Whether this process drives the game; if no process does, tries to become its driver. Rejects if the database
   * does not answer: then the process drives nothing.
   */
  holds(gameId: number): Promise<boolean>
  /** Lets another process drive the game, if this one does. Rejects as `holds` does. */
  release(gameId: number): Promise<void>
  close(): Promise<void>
}

/**
 * @param answerMs how long the database may take to answer before the connection is given up
 * @param silenceMs after how long without queries a process has lost the lead
 */
export function leadership(
  url: string,
  { answerMs = ANSWER_MS, silenceMs = SILENCE_MS } = {},
): Leadership {
  let client: pg.Client | null = null
  let held = new Set<number>()

  function forget(): void {
    client = null
    held = new Set()
  }

  async function connect(): Promise<pg.Client> {
    if (client) return client
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: 'sum28 engine',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      options: `-c idle_session_timeout=${silenceMs}`,
    })
    const lost = () => {
      if (client === fresh) forget()
    }
    fresh.on('error', lost)
    fresh.on('end', lost)
    await fresh.connect()
    client = fresh
    return fresh
  }

  async function ask(condition: string): Promise<boolean> {
    const connection = await connect()
    try {
      const { rows } = await connection.query<{ answer: boolean }>(`select ${condition} as answer`)
      return rows[0]?.answer ?? false
    } catch (error) {
      // Whether this connection still holds its locks is unknown: the next query opens another.
      if (client === connection) forget()
      void connection.end().catch(() => {})
      throw error
    }
  }

  async function tryLock(gameId: number): Promise<boolean> {
    const got = await ask(
      held.has(gameId) ? 'true' : `pg_try_advisory_lock(${LOCK_SPACE}, ${gameId})`,
    )
    if (got) held.add(gameId)
    return got
  }

  async function unlock(gameId: number): Promise<void> {
    if (held.delete(gameId)) await ask(`pg_advisory_unlock(${LOCK_SPACE}, ${gameId})`)
  }

  let queue: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const answer = queue.then(work)
    queue = answer.catch(() => {})
    return answer
  }

  return {
    holds: (gameId) => inTurn(() => tryLock(gameId)),
    release: (gameId) => inTurn(() => unlock(gameId)),
    async close() {
      await queue
      const closing = client
      client = null
      await closing?.end().catch(() => {})
    },
  }
}
