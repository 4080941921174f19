/** A database of the test's own, cloned from the migrated template, with a clock that can be set. */
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'
import type { Transaction } from '#src/db/database.ts'
import { cloneTemplate, type TestDatabase } from './cloned-database.ts'

export type { TestDatabase }

/** Clones a database; it is dropped when the test is over. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await cloneDatabase()
  onTestFinished(() => database.drop())
  return database
}

/** One database for all tests of a file or a `describe`: each has rows of its own, and sets the clock if it needs to. */
export function shareTestDatabase(): () => TestDatabase {
  let shared: TestDatabase | null = null
  beforeAll(async () => {
    shared = await cloneDatabase()
  })
  afterAll(() => shared?.drop())
  return () => {
    if (!shared) throw new Error('the shared database exists only within its tests')
    return shared
  }
}

/** Does something as the owner, and undoes all of it. */
export async function rolledBack(
  { owner }: Pick<TestDatabase, 'owner'>,
  work: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  const undo = new Error('undone')
  const done = owner.transaction(async (tx) => {
    await work(tx)
    throw undo
  })
  await done.catch((error: unknown) => {
    if (error !== undo) throw error
  })
}

/** Clones a database that the caller drops. */
export function cloneDatabase(): Promise<TestDatabase> {
  return cloneTemplate(inject('databaseServer'))
}

/** Stops the database's clock at this moment until the test's end: no time passes between its steps. */
export async function stopClock({ owner }: Pick<TestDatabase, 'owner'>): Promise<void> {
  await owner.query('update app.test_clock set frozen_at = app.now()')
  onTestFinished(async () => {
    await owner.query('update app.test_clock set frozen_at = null')
  })
}
