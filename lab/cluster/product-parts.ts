/** The product's own processes, as an operator starts them: a role and a data folder each. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Role } from '@sum28/server/src/config.ts'
import type { Pace } from './pace.ts'
import { freePorts, makePart, type Part, until } from './parts.ts'

const MAIN = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))

export type ProductPart = Part & { readonly role: Role; readonly url: string }

export async function prepareProduct(setup: {
  folder: string
  /** As the owner, through the load balancer. */
  databaseUrl: string
  pace: Pace
}): Promise<ProductPart[]> {
  const { round } = setup.pace
  const names = ['api-1', 'api-2', 'engine-1', 'engine-2', 'jobs-1'] as const
  const ports = await freePorts(names.length)
  return names.map((name, index) => {
    const role = name.slice(0, -2) as Role
    const dataDir = join(setup.folder, name)
    mkdirSync(dataDir)
    const databaseUrl = new URL(setup.databaseUrl)
    // The name by which the database shows which process leads.
    databaseUrl.searchParams.set('application_name', name)
    const part = makePart({
      name,
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', '--disable-sigusr1', MAIN],
      logFile: join(setup.folder, `${name}.log`),
      environment: {
        ROLE: role,
        PORT: String(ports[index]),
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl.toString(),
        SECRET_KEY: 'a key for the cluster test, of more than 32 characters',
        // No day ends during the test: it is between 8:00 and 20:00 there.
        GAME_TIMEZONE: new Date().getUTCHours() < 12 ? 'Asia/Singapore' : 'America/La_Paz',
        ROUND_SECONDS: String(round.seconds),
        SEAL_SECONDS: String(round.sealSeconds),
        BEACON_DEADLINE_SECONDS: String(round.deadlineSeconds),
        ROBOTS: 'off',
        LOG_LEVEL: 'warn',
      },
    })
    const url = `http://127.0.0.1:${ports[index]}`
    return { ...part, role, url }
  })
}

/** Waits until a process reports that it is ready. */
export async function untilReady({ name, url }: ProductPart): Promise<void> {
  await until(`${name} is ready`, async () => {
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) })
    return reply.ok
  })
}
