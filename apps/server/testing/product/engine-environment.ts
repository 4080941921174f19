import type { TestDatabase } from '../database/test-database.ts'
import { temporaryFolder } from '../hosts/own-machine.ts'
import { TRUE_SCHEDULE } from './play-round.ts'

/** The environment of an engine's process: the true schedule, on the test's own database. */
export function engineEnvironment(
  { addresses }: TestDatabase,
  more: Record<string, string> = {},
): Record<string, string | undefined> {
  const dataDir = temporaryFolder()
  return {
    ...process.env,
    ROLE: 'engine',
    DATABASE_URL: addresses.engine,
    DATA_DIR: dataDir,
    ...TRUE_SCHEDULE,
    LOG_LEVEL: 'error',
    ...more,
  }
}
