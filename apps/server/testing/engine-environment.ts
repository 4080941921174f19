import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { SECRET_KEY } from './secret-key.ts'
import type { TestDatabase } from './test-database.ts'
import { TEST_TIME_ZONE } from './time-zone.ts'

/** The environment of an engine's process: rounds of 6 s on the test's own database. */
export function engineEnvironment(
  { applicationUrl }: TestDatabase,
  more: Record<string, string> = {},
): Record<string, string | undefined> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sum28-engine-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return {
    ...process.env,
    ROLE: 'engine',
    DATABASE_URL: applicationUrl,
    DATA_DIR: dataDir,
    SECRET_KEY,
    GAME_TIMEZONE: TEST_TIME_ZONE,
    ROUND_SECONDS: '6',
    SEAL_SECONDS: '2',
    LOG_LEVEL: 'error',
    ...more,
  }
}
