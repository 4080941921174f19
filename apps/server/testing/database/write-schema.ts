/** Writes sql/schema.sql again, from a database that it makes for that: `npm run schema`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#src/adapters/postgres/embedded-postgres.ts'
import { openDatabase } from '#src/db/database.ts'
import { migrate } from '#src/db/migrate.ts'
import { schemaText } from './schema-text.ts'

const folder = mkdtempSync(join(tmpdir(), 'sum28-schema-'))
const server = await startEmbeddedPostgres({ dataDir: folder, settings: { fsync: 'off' } })
try {
  await migrate(server.ownerUrl)
  const owner = openDatabase(server.ownerUrl, { connectionsMax: 1 })
  writeFileSync(new URL('../../sql/schema.sql', import.meta.url), await schemaText(owner))
  await owner.close()
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
