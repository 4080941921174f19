/** Several processes of the product on one database. */
import { type Client, createClient } from '@sum28/contract/client.ts'
import { onTestFinished } from 'vitest'
import { type App, startApp } from '#src/app.ts'
import { type Config, readConfig } from '#src/config.ts'
import { onlyAddress, type Part } from '#src/db/logins.ts'
import { makeLog } from '#src/process/log.ts'
import type { AppOptions } from '#src/resources.ts'
import { writeSettings } from '#src/settings/stored-settings.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { temporaryFolder } from '../hosts/own-machine.ts'
import { ANSWER_WITHIN_MS, PATIENT_LIMITS } from '../requests/patience.ts'
import { FIRST_ROUND, TRUE_SCHEDULE } from './play-round.ts'

export type Processes = Awaited<ReturnType<typeof createInstallation>>

/** What the processes of one installation share. */
const IN_COMMON = {
  ...TRUE_SCHEDULE,
  ROBOTS: 'off',
  RATE_LIMITS: 'off',
}

/** An installation on its own database, or a given one, which has no process yet; the first rounds have opened. */
export async function createInstallation(
  environment: Record<string, string> = {},
  existing?: TestDatabase,
) {
  const database = existing ?? (await createTestDatabase())
  await database.moveClock(FIRST_ROUND)
  const { SEED_KEY, ...shared } = { ...IN_COMMON, ...environment }
  await writeSettings(database.owner, readConfig(shared))
  return {
    database,
    /** Starts one more, with a role and a data folder of its own; it stops with the test. */
    start(role: Part, tuning: AppOptions['tuning'] = {}): Promise<App> {
      const dataDir = temporaryFolder()
      const address = database.addresses[role]
      const config = readConfig({
        ...shared,
        ...(role === 'engine' ? { SEED_KEY } : {}),
        ROLE: role,
        DATABASE_URL: address,
        DATA_DIR: dataDir,
        PORT: '0',
      })
      const patient = { watchPollMs: 200, clockSyncMs: 1_000, drain: async () => {}, ...tuning }
      return startProcess(config, onlyAddress(address), patient)
    },
  }
}

/** Starts a process, which stops with the test. */
export async function startProcess(
  config: Config,
  addresses: AppOptions['addresses'],
  tuning: AppOptions['tuning'],
): Promise<App> {
  const app = await startApp({
    config,
    addresses,
    build: 'test',
    log: makeLog({ level: 'silent', pretty: false }),
    tuning: {
      answerWithinMs: ANSWER_WITHIN_MS,
      limits: PATIENT_LIMITS,
      seedChainLength: 5_000,
      ...tuning,
    },
  })
  onTestFinished(() => app.stop())
  return app
}

/** Calls a process as a player, or as a stranger. */
export function clientOf(app: App, token: string | null = null): Client {
  return createClient({
    base: () => app.url,
    token: () => token,
    lang: () => 'en',
    host: 'localhost',
  })
}
