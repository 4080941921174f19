/** The one PostgreSQL of a run of the browser tests, the stack that all workers share, and stacks of a test's own. */
import {
  cloneTemplate,
  databaseOf,
  type TestDatabase,
} from '../apps/server/testing/database/cloned-database.ts'
import { makeServerFolder, serverOfRun } from '../apps/server/testing/database/database-server.ts'
import { openIssue, TRUE_SCHEDULE, timeOf } from '../apps/server/testing/product/play-round.ts'
import { startServer } from '../apps/server/testing/product/started-server.ts'

export type Stack = {
  readonly url: string
  readonly dataDir: string
  readonly database: TestDatabase
}

export type StartedStack = Stack & { stop(): Promise<void> }

/** The workers inherit it from the process that starts the run. */
const RUN = 'E2E_RUN'

/** The watch of the clocks allows a difference of two seconds. */
const TELL_EVERY_MS = 500

type Run = { databaseServer: string; url: string; dataDir: string; database: string }

/** Starts what a run shares, for Playwright's configuration; the function that it returns stops it. */
export default async function startForRun(): Promise<() => Promise<void>> {
  const server = await serverOfRun()
  const stack = await startStack({}, server.address)
  const { url, dataDir, database } = stack
  await openIssue(stack)
  const at = await timeOf(stack)
  await database.freezeClock(at)
  // A process goes on by its own clock until it looks at the database's again. Two of them would come apart by seconds,
  // and betting would stop: so they are told again and again.
  const told = setInterval(() => void database.freezeClock(at).catch(() => {}), TELL_EVERY_MS)
  const run: Run = { databaseServer: server.address, url, dataDir, database: database.name }
  process.env[RUN] = JSON.stringify(run)
  return async () => {
    clearInterval(told)
    await stack.stop()
    await server.stop()
  }
}

function runNow(): Run {
  return JSON.parse(process.env[RUN] ?? '{}') as Run
}

/** The stack of the whole run, whose clock stands still. Its stop is that of this worker alone. */
export function sharedStack(): StartedStack {
  const { databaseServer, url, dataDir, database: name } = runNow()
  const database = databaseOf(databaseServer, name)
  const stop = async () =>
    void (await Promise.all([database.db.close(), database.jobs.close(), database.owner.close()]))
  return { url, dataDir, database, stop }
}

const HOUR_MS = 3_600_000
const HOUR_BEGAN_AT = Date.now() - (Date.now() % HOUR_MS)

/**
 * In this time zone it is six o'clock. A browser's clock is real: it shows the day of the stack's rounds, which begin at
 * ten, and is behind them.
 */
const TIME_ZONE = zoneAhead((30 - new Date(HOUR_BEGAN_AT).getUTCHours()) % 24)

/** The time zone that is so many hours ahead of UTC, or a day less; its name has the opposite sign. */
function zoneAhead(hours: number): string {
  return hours > 14 ? `Etc/GMT+${24 - hours}` : `Etc/GMT-${hours}`
}

/**
 * Starts a stack on the product's true schedule, twenty seconds after the first rounds of the day, with the settings in
 * which a test differs. Its time is in the test's hands by `stack.database`.
 */
export async function startStack(
  otherwise: Record<string, string> = {},
  databaseServer = runNow().databaseServer,
): Promise<StartedStack> {
  const database = await cloneTemplate(databaseServer)
  await database.moveClock(HOUR_BEGAN_AT + 4 * HOUR_MS + 20_000)
  const server = await startServer(makeServerFolder(), {
    ...TRUE_SCHEDULE,
    GAME_TIMEZONE: TIME_ZONE,
    DATABASE_URL: database.ownerUrl,
    ...otherwise,
  })
  return {
    url: server.url,
    dataDir: server.dataDir,
    database,
    async stop() {
      await server.stop()
      await database.drop()
    },
  }
}
