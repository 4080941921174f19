/** A database of the test's own, cloned from the migrated template, with a clock that can be set. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished } from 'vitest'
import { type Database, openDatabase, type Transaction } from '#src/db/database.ts'
import type { Limits } from '#src/db/limits.ts'
import { PATIENT_TO_CONNECT } from '../requests/patience.ts'
import { cloneTemplate, LATER_YEARS, type TestDatabase } from './cloned-database.ts'
import {
  connectRestorer,
  type FirstContents,
  readFirstContents,
  restoreContents,
} from './first-contents.ts'

export type { TestDatabase }

/** Clones a database; it is dropped when the test is over. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await cloneDatabase()
  onTestFinished(() => database.drop())
  return database
}

/** A pool of a test's own, by default of one connection, with the usual limits where none is given. */
export function openTestPool(
  url: string,
  { connectionsMax = 1, ...limits }: Partial<Limits> & { connectionsMax?: number } = {},
): Database {
  const db = openDatabase(url, { connectionsMax, limits: { ...PATIENT_TO_CONNECT, ...limits } })
  onTestFinished(() => db.close())
  return db
}

/** A database in which nothing was before, dropped by its caller: plans depend on what a table once contained. */
export async function cloneUnusedDatabase(): Promise<TestDatabase> {
  const database = await cloneTemplate(inject('databaseServer'))
  await database.owner.query(LATER_YEARS)
  return database
}

/**
 * One database for all tests of a file or a `describe`: each has rows of its own, and sets the clock if it needs to. It
 * is there only while they run.
 */
export function shareTestDatabase(): TestDatabase {
  let shared: TestDatabase | null = null
  beforeAll(async () => {
    shared = await cloneDatabase()
  })
  afterAll(() => shared?.drop())
  return whileTestsRun(() => shared)
}

/** A database for each test of a file or a `describe`, and its connections. They are there only while a test runs. */
export function eachTestDatabase(): Pick<TestDatabase, 'db' | 'owner'> & {
  database: TestDatabase
} {
  let present: TestDatabase | null = null
  beforeEach(async () => {
    onTestFinished(() => {
      present = null
    })
    present = await createTestDatabase()
  })
  return {
    database: whileTestsRun(() => present),
    db: whileTestsRun(() => present?.db),
    owner: whileTestsRun(() => present?.owner),
  }
}

/** Stands for what is made before the tests, so that a file can name it before it is there. */
export function whileTestsRun<Made extends object>(made: () => Made | null | undefined): Made {
  const present = () => made() ?? expect.fail('it exists only while tests run')
  return new Proxy<Made>({} as Made, {
    get: (_, name) => Reflect.get(present(), name),
    ownKeys: () => Reflect.ownKeys(present()),
    getOwnPropertyDescriptor: (_, name) => ({
      ...Reflect.getOwnPropertyDescriptor(present(), name),
      configurable: true,
    }),
  })
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

/** A database of this worker: used by one test after the other, and restored between them. */
type Restorable = { database: TestDatabase; restorer: pg.Client; uses: number }

const restored: Restorable[] = []
let firstContents: FirstContents | null = null

/** After so many uses a database is dropped: rows that were deleted still cost time. */
const USES_MAX = 40

/** A database with the template's contents, which its caller drops. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const restorable = restored.pop() ?? (await cloneRestorable())
  return { ...restorable.database, drop: () => restoreOrDrop(restorable) }
}

async function cloneRestorable(): Promise<Restorable> {
  const database = await cloneTemplate(inject('databaseServer'))
  const restorer = await connectRestorer(database.ownerUrl)
  firstContents ??= await readFirstContents(restorer)
  return { database, restorer, uses: 0 }
}

async function restoreOrDrop(restorable: Restorable): Promise<void> {
  const { database, restorer } = restorable
  restorable.uses += 1
  const isRestored =
    restorable.uses < USES_MAX &&
    firstContents &&
    (await restoreContents(restorer, firstContents).catch(() => false))
  if (isRestored) {
    restored.push(restorable)
    return
  }
  await restorer.end().catch(() => {})
  await database.drop()
}

/** Stops the database's clock at this moment until the test's end: no time passes between its steps. */
export async function stopClock({ owner }: Pick<TestDatabase, 'owner'>): Promise<void> {
  await owner.query('update app.test_clock set frozen_at = app.now()')
  onTestFinished(async () => {
    await owner.query('update app.test_clock set frozen_at = null')
  })
}
