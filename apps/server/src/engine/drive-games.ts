/** The clock's driver: one loop for each game, so that a game that waits delays no other. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#src/adapters/clock/clock.ts'
import type { Leadership } from '#src/db/leadership.ts'
import { overdueRounds, sealRound } from '#src/modules/bets/book-store.ts'
import { type ClockState, type ClockWatch, watchClocks } from './clock-watch.ts'
import { type EngineDeps, gameDriver, soonest } from './game-engine.ts'

export type GamesDriver = {
  /** Ends after the running steps; what is left is due at the next start. */
  stop(): Promise<void>
  /** What is known of the two clocks, if this process compares them. */
  clocks(): ClockState
}

/** How long to wait after a failure, such as a database that is down. */
const AFTER_FAILURE_MS = 1_000

/** How often to check whether a game that another process drives has become free. */
const NOT_LEADING_MS = 500

/** How long a turn waits for its steps before the next turn checks what else is due. */
const TURN_MAX_MS = 250

/** If a seal is this late, its driver may be stuck: the process that notices it makes the seal. */
const SEAL_OVERDUE_MS = 3_000

/** The name of the lead of the clock watch, among the ids of games. */
const CLOCKS_LEAD = 1_000

export function driveGames(
  deps: EngineDeps & {
    leadership: Leadership
    gameIds: readonly number[]
    wait: Clock['wait']
  },
): GamesDriver {
  const { log } = deps
  const ending = new AbortController()
  const { signal } = ending

  async function run(gameId: number): Promise<void> {
    const driver = gameDriver(deps, gameId)
    while (!signal.aborted) {
      await deps.wait(await turn(), signal)
    }
    await driver.idle()

    async function turn(): Promise<number> {
      try {
        const leads = await deps.leadership.holds(gameId)
        return leads ? await lead() : await standBy()
      } catch (error) {
        if (!signal.aborted) log.error({ gameId, error }, 'the engine will try again')
        return AFTER_FAILURE_MS
      }
    }

    async function lead(): Promise<number> {
      const steps = Promise.allSettled(await driver.turn(signal))
      const enough = new AbortController()
      // Longer steps continue; the next turn starts what has become due meanwhile.
      const ended = await Promise.race([
        steps,
        sleep(TURN_MAX_MS, null, { signal: enough.signal }).catch(() => null),
      ])
      enough.abort()
      return ended ? soonest(ended) : 0
    }

    async function standBy(): Promise<number> {
      for (const round of await overdueRounds(deps.db, gameId, SEAL_OVERDUE_MS)) {
        if (!(await sealRound(deps.db, round))) continue
        log.error({ ...round }, 'sealed in the place of a driver that was late')
        deps.roundChanged(gameId)
      }
      return NOT_LEADING_MS
    }
  }

  const clocks: ClockWatch = watchClocks({
    ...deps,
    leads: () => deps.leadership.holds(CLOCKS_LEAD),
  })
  const loops = deps.gameIds.map(run)
  return {
    async stop() {
      ending.abort()
      await Promise.all([...loops, clocks.stop()])
      await deps.leadership.close()
    },
    clocks: clocks.state,
  }
}
