import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from '@sum28/fairness/witness/witness.ts'
import { expect, it } from 'vitest'
import { StartError } from '#src/process/start-error.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { SECRET_KEY } from '#testing/product/secret-key.ts'
import { startLog } from './log-driver.ts'

it('does not start beside a witness that cannot read what it has signed, and says so', async () => {
  const { jobs } = await createTestDatabase()
  async function started(dataDir: string): Promise<string> {
    const error = await startLog({
      ...({} as Parameters<typeof startLog>[0]),
      db: jobs,
      log: captureLog().log,
      now: Date.now,
      secretKeys: [SECRET_KEY],
      config: { profile: 'demo', witnesses: [], publicUrl: null, dataDir } as never,
    }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StartError)
    return (error as StartError).message
  }
  const closed = temporaryFolder()
  writeFileSync(join(closed, 'witness'), '')
  expect(await started(closed)).toContain(
    `The data folder ${closed}/witness cannot be written (a file of that name stands in its way)`,
  )
  const damaged = temporaryFolder()
  mkdirSync(join(damaged, 'witness'))
  const file = join(damaged, 'witness', `${hashOf('sum28.localhost/tlog')}.1`)
  writeFileSync(file, 'a part')
  expect(await started(damaged)).toBe(
    `The product's own witness cannot read what it has signed: restore ${damaged}/witness from a copy, or begin anew with another DATA_DIR.`,
  )
})
