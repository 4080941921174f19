/** `npm run restored`: marks in the file of the audit log's ends that the database was restored to an instant. */
import { parseArgs } from 'node:util'
import { readConfig, takeEnvironment } from '#src/config.ts'
import { noteRestore } from '#src/modules/staff/audit-check.ts'
import { auditHeads } from '#src/modules/staff/audit-heads.ts'
import { StartError } from '#src/process/start-error.ts'
import { openCommandDatabase, runCommand } from './command-database.ts'

const USAGE = `After a restore to an instant the log of what staff did lacks rows whose end was written down. This says so:

  npm run restored -- --to 2026-11-22T21:00:00Z     the instant of the restore, in UTC

Run it with the settings and the DATA_DIR of each process that runs jobs.`

if (import.meta.main) {
  await runCommand(async () => {
    const to = readInstant(process.argv.slice(2))
    return to === null ? USAGE : carryOut(to)
  })
}

async function carryOut(to: number): Promise<string> {
  const config = readConfig(takeEnvironment())
  const heads = auditHeads(config.dataDir)
  const { db, cipher, close } = await openCommandDatabase(config, 'jobs')
  try {
    const noted = await noteRestore({ db, cipher, heads, now: Date.now }, to)
    if (!('refused' in noted)) {
      return `${heads.file} now says that the database was restored to ${new Date(to).toISOString()}: ${noted.ends} ends from row ${noted.from} on are of the time after it.`
    }
    throw new StartError(
      noted.refused === 'nothing_gone'
        ? `Every end in ${heads.file} is in the log: there is nothing to note. Is DATA_DIR that of the process that runs jobs?`
        : `Row ${noted.row} of the audit log is not what was written, and a restore to that instant is not the reason: give the right instant with --to, or find out who changed it.`,
    )
  } finally {
    await close()
  }
}

/** The instant of --to, in milliseconds since 1970; null if help is wanted. @throws StartError that says what is wrong */
export function readInstant(args: string[]): number | null {
  let values: { to?: string; help?: boolean }
  try {
    const options = { to: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
    values = parseArgs({ args, options }).values
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}.\n\n${USAGE}`)
  }
  if (values.help) return null
  const to = /^\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(values.to ?? '')
    ? Date.parse(values.to ?? '')
    : Number.NaN
  if (to < Date.now()) return to
  throw new StartError(
    `--to has to be a past instant with its zone, such as 2026-11-22T21:00:00Z.\n\n${USAGE}`,
  )
}
