/**
 * A PostgreSQL and a test runner that stay up, so that a few tests run without the start of either. The
 * tests' databases are cloned from a template into which changed statements can be put.
 */
import { join } from 'node:path'
import type pg from 'pg'
import type { TestCase, TestModule, Vitest } from 'vitest/node'
import { createVitest } from 'vitest/node'
import { dropApplicationRole } from '#src/db/application-role.ts'
import { withClient } from '#src/db/with-client.ts'
import { startTestServer } from './database-server.ts'
import { TEMPLATE } from './test-database.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** The template as the product makes it, from which the one with a fault is cloned. */
const SOUND = 'sum28_sound'

export type RanTest = { name: string; ms: number; passed: boolean; skipped: boolean }

export type TestRun = {
  tests: RanTest[]
  /** The first failure: a test's full name, or the file's, and the first line of what it said. */
  failure: string | null
}

/** A database that tests left: whose it was, null for a whole file's, and the functions called in it. */
export type LeftDatabase = { test: string | null; functions: string[] }

export type TestBench = {
  /**
   * Makes the template anew: the product's, with statements applied to it.
   *
   * @returns what the parser said against a statement, or null
   */
  applyToTemplate(statements: string[]): Promise<string | null>
  /** Runs a file of tests, or those of it that are named, and stops at the first failure. */
  run(file: string, names: string[] | null): Promise<TestRun>
  /** The names of the product's functions and, of each, whether it is written in SQL and has no setting. */
  functions(): Promise<{ name: string; signature: string; inlinable: boolean }[]>
  /** Reads which functions were called in the databases that tests left, and drops them. */
  takeLeftDatabases(): Promise<LeftDatabase[]>
  close(): Promise<void>
}

/**
 * Starts both.
 *
 * @param folder see `server-folder.ts`
 * @param keepDatabases whether the tests' databases are left for `takeLeftDatabases`
 * @param stopAtFirst whether a run ends with its first failure
 * @param testMaxMs after how long a test, or a wait in it, has failed
 */
export async function openTestBench({
  folder,
  keepDatabases,
  stopAtFirst,
  testMaxMs,
}: {
  folder: string
  keepDatabases: boolean
  stopAtFirst: boolean
  testMaxMs: { test: number; wait: number }
}): Promise<TestBench> {
  const server = await startTestServer(folder, { track_functions: 'all' })
  const asAdmin: AsAdmin = (work) => withClient(server.url('postgres'), work)
  await asAdmin((admin) => admin.query(`create database ${SOUND} template ${TEMPLATE}`))
  // They reach the processes in which tests run.
  process.env.TEST_DATABASE_SERVER = server.url('')
  process.env.TEST_DATABASES_KEPT = keepDatabases ? 'yes' : ''
  process.env.TEST_PATIENCE_MS = String(testMaxMs.wait)
  const vitest = await createVitest('test', {
    root: ROOT,
    // One kind of tests alone, whatever kinds the project's configuration has.
    config: false,
    include: ['apps/server/**/*.test.ts'],
    globalSetup: ['apps/server/testing/database-server.ts'],
    watch: false,
    reporters: [{}],
    maxWorkers: 1,
    bail: stopAtFirst ? 1 : 0,
    testTimeout: testMaxMs.test,
    hookTimeout: testMaxMs.test,
    teardownTimeout: 10_000,
  })
  return {
    applyToTemplate: (statements) => applyToTemplate(asAdmin, server.url(TEMPLATE), statements),
    run: (file, names) => runTests(vitest, file, names),
    functions: () => readFunctions(server.url(SOUND)),
    takeLeftDatabases: () => asAdmin((admin) => takeLeftDatabases(admin, server.url)),
    async close() {
      await vitest.close()
      await server.stop()
    },
  }
}

type AsAdmin = <Result>(work: (admin: pg.Client) => Promise<Result>) => Promise<Result>

async function applyToTemplate(
  asAdmin: AsAdmin,
  url: string,
  statements: string[],
): Promise<string | null> {
  await asAdmin(async (admin) => {
    await admin.query(`drop database if exists ${TEMPLATE} with (force)`)
    await admin.query(`create database ${TEMPLATE} template ${SOUND} strategy file_copy`)
  })
  return withClient(url, async (owner) => {
    try {
      for (const statement of statements) await owner.query(statement)
      return null
    } catch (error) {
      return (error as Error).message
    }
  })
}

async function runTests(vitest: Vitest, file: string, names: string[] | null): Promise<TestRun> {
  const project = vitest.getRootProject()
  const path = join(ROOT, file)
  const specification = project.createSpecification(path, names ? { testNames: names } : {})
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
  const module = testModules.find(({ moduleId }) => moduleId === path)
  if (!module) throw new Error(`${file} was not run`)
  const cases = [...module.children.allTests()]
  return {
    tests: cases.map(ranTest),
    failure: failureOf(module, cases, unhandledErrors),
  }
}

function ranTest(test: TestCase): RanTest {
  const { state } = test.result()
  return {
    name: test.fullName,
    ms: Math.round(test.diagnostic()?.duration ?? 0),
    passed: state === 'passed',
    skipped: state === 'skipped' || state === 'pending',
  }
}

function failureOf(module: TestModule, cases: TestCase[], unhandled: unknown[]): string | null {
  const failed = cases.find((test) => test.result().state === 'failed')
  if (failed) return `${failed.fullName}: ${firstLine(failed.result().errors?.[0])}`
  const [ofFile] = module.errors()
  if (ofFile) return `the file: ${firstLine(ofFile)}`
  const suite = [...module.children.allSuites()].find((each) => each.errors().length > 0)
  if (suite) return `${suite.fullName}: ${firstLine(suite.errors()[0])}`
  return unhandled.length > 0 ? `unhandled: ${firstLine(unhandled[0])}` : null
}

function firstLine(error: unknown): string {
  return String((error as { message?: string } | undefined)?.message ?? error).split('\n')[0] ?? ''
}

function readFunctions(url: string) {
  return withClient(url, async (owner) => {
    const { rows } = await owner.query<{ name: string; signature: string; inlinable: boolean }>(
      `select pronamespace::regnamespace || '.' || proname as name,
         pg_proc.oid::regprocedure::text as signature,
         lanname = 'sql' and proconfig is null and not prosecdef as inlinable
       from pg_proc join pg_language on pg_language.oid = prolang
       where pronamespace::regnamespace::text !~ '^(pg_|information_schema|graphile_worker|public)'
       order by signature`,
    )
    return rows
  })
}

async function takeLeftDatabases(
  admin: pg.Client,
  url: (database: string) => string,
): Promise<LeftDatabase[]> {
  const { rows } = await admin.query<{ datname: string; test: string | null }>(
    `select datname, shobj_description(oid, 'pg_database') as test from pg_database
     where datname like 'test\\_%'`,
  )
  const left: LeftDatabase[] = []
  for (const { datname, test } of rows) {
    await untilNobodyIsConnected(admin, datname)
    left.push({ test, functions: await withClient(url(datname), readCalled) })
    await admin.query(`drop database ${datname} with (force)`)
    await dropApplicationRole(admin, datname)
  }
  return left
}

/** A connection's counts are complete once it has ended. */
async function untilNobodyIsConnected(admin: pg.Client, database: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { rowCount } = await admin.query('select from pg_stat_activity where datname = $1', [
      database,
    ])
    if (rowCount === 0) return
    await new Promise((again) => setTimeout(again, 50))
  }
}

async function readCalled(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select schemaname || '.' || funcname as name from pg_stat_user_functions where calls > 0
     union
     select sequencename from pg_sequences where schemaname = 'calls' and last_value is not null`,
  )
  return rows.map(({ name }) => name)
}
