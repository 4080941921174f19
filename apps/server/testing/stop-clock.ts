import { onTestFinished } from 'vitest'
import type { TestDatabase } from './test-database.ts'

/** Stops the database's clock at this moment until the test's end: no time passes between its steps. */
export async function stopClock({ owner }: Pick<TestDatabase, 'owner'>): Promise<void> {
  await owner.query('update app.test_clock set frozen_at = app.now()')
  onTestFinished(async () => {
    await owner.query('update app.test_clock set frozen_at = null')
  })
}
