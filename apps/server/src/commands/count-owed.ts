/** `npm run count:owed`: has the running product count now what it owes, besides its daily count. */
import { setTimeout as sleep } from 'node:timers/promises'
import { formatAmount } from '@sum28/domain/money.ts'
import { readConfig, takeEnvironment } from '#src/config.ts'
import { lastCounts } from '#src/modules/disclosure/disclosure-store.ts'
import { StartError } from '#src/process/start-error.ts'
import { openCommandDatabase } from './command-database.ts'

/** How long the command waits for the process that runs jobs. */
const PATIENCE_MS = 180_000

try {
  console.log(await carryOut())
} catch (error) {
  const text =
    error instanceof StartError ? error.message : error instanceof Error ? error.stack : error
  console.error(`\n${text}\n`)
  process.exitCode = 1
}

async function carryOut(): Promise<string> {
  if (process.argv.length > 2) {
    return 'npm run count:owed takes no arguments. Run it with the settings of a process that runs jobs.'
  }
  const { db, close } = await openCommandDatabase(readConfig(takeEnvironment()), 'jobs')
  try {
    const [before] = await lastCounts(db, 1)
    await db.query(`select graphile_worker.add_job('count-owed')`)
    for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += 500) {
      const [last] = await lastCounts(db, 1)
      if (last && last.number > (before?.number ?? 0)) {
        const { number, owed, onChain, root, size } = last
        return `Count ${number}: ${formatAmount(owed)} owed, ${formatAmount(onChain)} on the chain. Root ${root} of ${size} places.`
      }
      await sleep(500)
    }
    throw new StartError(
      'Nothing was counted yet: the task waits in the queue for the process that runs jobs, whose log says what fails.',
    )
  } finally {
    await close()
  }
}
