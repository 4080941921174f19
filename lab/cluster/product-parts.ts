/** The product's own processes, as an operator starts them: a role and a data folder each. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Addresses, Part as Role } from '@sum28/server/src/db/logins.ts'
import { freePorts, makePart, type Part, until } from './parts.ts'
import type { Pace } from './patroni-settings.ts'

const MAIN = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))

export type ProductPart = Part & { readonly role: Role; readonly url: string }

export const KEYS = {
  secretKey: 'a key for the cluster test of more than 32 characters',
  seedKey: 'a key of seeds for the cluster test of more than 32 characters',
}

/** The settings that all processes have, and that are written into the database before they start. */
export function settingsOf({ round }: Pick<Pace, 'round'>): Record<string, string> {
  return {
    // No day ends during the test: it is between 8:00 and 20:00 there.
    GAME_TIMEZONE: new Date().getUTCHours() < 12 ? 'Asia/Singapore' : 'America/La_Paz',
    ROUND_SECONDS: String(round.seconds),
    SEAL_SECONDS: String(round.sealSeconds),
    BEACON_DEADLINE_SECONDS: String(round.deadlineSeconds),
    ROBOTS: 'off',
    LOG_LEVEL: 'warn',
  }
}

export async function prepareProduct(setup: {
  folder: string
  /** Of each part's own login, through the load balancer. */
  addresses: Addresses
  settings: Record<string, string>
}): Promise<ProductPart[]> {
  const names = ['api-1', 'api-2', 'engine-1', 'engine-2', 'jobs-1'] as const
  const ports = await freePorts(names.length)
  return names.map((name, index) => {
    const role = name.slice(0, -2) as Role
    const dataDir = join(setup.folder, name)
    mkdirSync(dataDir)
    const databaseUrl = new URL(setup.addresses[role])
    // The name by which the database shows which process leads.
    databaseUrl.searchParams.set('application_name', name)
    const part = makePart({
      name,
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', '--disable-sigusr1', MAIN],
      logFile: join(setup.folder, `${name}.log`),
      environment: {
        ...setup.settings,
        ROLE: role,
        PORT: String(ports[index]),
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl.toString(),
        // The local beacon follows from it.
        SECRET_KEY: KEYS.secretKey,
        ...(role === 'engine' ? { SEED_KEY: KEYS.seedKey } : {}),
      },
    })
    const url = `http://127.0.0.1:${ports[index]}`
    return { ...part, role, url }
  })
}

export async function untilReady({ name, url }: Pick<ProductPart, 'name' | 'url'>): Promise<void> {
  await until(`${name} is ready`, async () => {
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) })
    return reply.ok
  })
}
