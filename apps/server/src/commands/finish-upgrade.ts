/**
 * `npm run upgrade:finish`: from now on this release and this SECRET_KEY alone serve the database. It applies this
 * release's functions and drops what only another release or another key needed. Run it when no process of another
 * release or key runs any more, after an upgrade, a downgrade or a change of the key.
 */

import { environmentWithFile, readConfig } from '#src/config.ts'
import { dropOtherLogins, migrate, OWN_SQL, reachDatabase } from '#src/db/migrate.ts'
import { MigrationError } from '#src/db/migration-step.ts'
import { StartError } from '#src/process/start-error.ts'

try {
  const { databaseUrl, secretKey } = readConfig(environmentWithFile())
  if (databaseUrl === null) {
    throw new StartError(
      'There is nothing to finish: the embedded database serves one process. Set DATABASE_URL to finish an upgrade of a database of your own.',
    )
  }
  await reachDatabase(databaseUrl)
  if (secretKey !== null) await dropOtherLogins(databaseUrl, secretKey)
  await migrate(databaseUrl, OWN_SQL, {
    beside: false,
    onBusy: (about, tries) => {
      if (tries % 60 === 1) console.error(`${about}: others hold its locks; try ${tries}`)
    },
  })
  console.log('The database serves this release alone.')
} catch (error) {
  if (!(error instanceof StartError || error instanceof MigrationError)) throw error
  console.error(error.message)
  process.exit(1)
}
