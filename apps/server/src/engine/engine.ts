/** The clock's driver: one loop for each game, so that a game that waits holds up no other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { driveGame, type EngineDeps } from './game-engine.ts'
import type { Leadership } from './leadership.ts'

export type Engine = {
  /** Ends after what is under way; what is left is due at the next start. */
  stop(): Promise<void>
  /** Milliseconds since each game was last driven through, by this process or found led by another. */
  ageMs(): number
}

/** How long to wait after a failure, such as a database that is away. */
const AFTER_FAILURE_MS = 1_000

/** How often to ask whether a game that another process drives has become free. */
const NOT_LEADING_MS = 500

export function startEngine(
  deps: EngineDeps & { leadership: Leadership; gameIds: readonly number[] },
): Engine {
  const ending = new AbortController()
  const { signal } = ending
  const lastDone = new Map(deps.gameIds.map((id) => [id, performance.now()]))

  async function run(gameId: number): Promise<void> {
    while (!signal.aborted) {
      const wait = await turn(gameId)
      await sleep(wait, undefined, { signal }).catch(() => {})
    }
  }

  async function turn(gameId: number): Promise<number> {
    try {
      const leads = await deps.leadership.holds(gameId)
      const wait = leads ? await driveGame(deps, gameId, signal) : NOT_LEADING_MS
      lastDone.set(gameId, performance.now())
      return wait
    } catch (error) {
      if (!signal.aborted) deps.log.error({ gameId, error }, 'the engine will try again')
      return AFTER_FAILURE_MS
    }
  }

  const loops = deps.gameIds.map(run)
  return {
    async stop() {
      ending.abort()
      await Promise.all(loops)
      await deps.leadership.close()
    },
    ageMs: () => performance.now() - Math.min(...lastDone.values()),
  }
}
