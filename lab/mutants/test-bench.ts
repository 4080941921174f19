/**
 * A PostgreSQL and a test runner that stay up, so that a few tests run without the start of either. The
 * tests' databases are cloned from a template into which changed statements can be put.
 */
import { join } from 'node:path'
import { withClient } from '@sum28/server/src/db/with-client.ts'
import { TEMPLATE } from '@sum28/server/testing/database/cloned-database.ts'
import { startTestServer } from '@sum28/server/testing/database/database-server.ts'
import type pg from 'pg'
import type { TestCase, TestModule, Vitest } from 'vitest/node'
import { createVitest } from 'vitest/node'

const ROOT = join(import.meta.dirname, '..', '..')

/** The template as the product makes it, from which the one with a fault is cloned. */
const SOUND = 'sum28_sound'

export type TestRun = {
  /** The first failure: a test's full name, or the file's, and the first line of what it said. */
  failure: string | null
  /** The full name of the test that failed; null if it was the file. */
  failedTest: string | null
}

/** With a fault in the database, a wait and a test that take this long have failed. */
const TEST_MAX_MS = 60_000
const WAIT_MAX_MS = 25_000

/**
 * Starts both.
 *
 * @param folder see `database-server.ts`
 */
export async function openTestBench(folder: string) {
  const server = await startTestServer(folder)
  const asAdmin: AsAdmin = (work) => withClient(server.url('postgres'), work)
  await asAdmin((admin) => admin.query(`create database ${SOUND} template ${TEMPLATE}`))
  // They reach the processes in which tests run.
  process.env.TEST_DATABASE_SERVER = server.url('')
  process.env.TEST_PATIENCE_MS = String(WAIT_MAX_MS)
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, '.cache', 'compiled')
  const vitest = await createVitest('test', {
    root: ROOT,
    // One kind of tests alone, whatever kinds the project's configuration has.
    config: false,
    include: ['apps/server/**/*.test.ts'],
    globalSetup: ['apps/server/testing/database/database-server.ts'],
    setupFiles: ['tools/property-seed.ts', 'apps/server/testing/product/cheap-passwords.ts'],
    watch: false,
    reporters: [{}],
    maxWorkers: 1,
    bail: 1,
    testTimeout: TEST_MAX_MS,
    hookTimeout: TEST_MAX_MS,
    teardownTimeout: 10_000,
  })
  return {
    /**
     * Makes the template anew: the product's, with statements applied to it.
     *
     * @returns what the parser said against a statement, or null
     */
    applyToTemplate: (statements: readonly string[]) =>
      applyToTemplate(asAdmin, server.url(TEMPLATE), statements),
    /** Runs a file of tests, or those of it that are named, until the first failure or the end of the time. */
    run: (file: string, limits: { names: string[]; maxMs?: number }) =>
      runTests(vitest, file, limits),
    async close(): Promise<void> {
      await vitest.close()
      await server.stop()
    },
  }
}

type AsAdmin = <Result>(work: (admin: pg.Client) => Promise<Result>) => Promise<Result>

async function applyToTemplate(
  asAdmin: AsAdmin,
  url: string,
  statements: readonly string[],
): Promise<string | null> {
  await asAdmin(async (admin) => {
    // The run before has left its databases, which have its template's fault.
    const { rows } = await admin.query<{ datname: string }>(
      `select datname from pg_database where datname like 'test\\_%' or datname = $1`,
      [TEMPLATE],
    )
    for (const { datname } of rows) await admin.query(`drop database ${datname} with (force)`)
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

async function runTests(
  vitest: Vitest,
  file: string,
  { names, maxMs }: { names: string[]; maxMs?: number },
): Promise<TestRun> {
  const project = vitest.getRootProject()
  const path = join(ROOT, file)
  const specification = project.createSpecification(
    path,
    names.length > 0 ? { testNames: names } : {},
  )
  const limit = maxMs && setTimeout(() => void vitest.cancelCurrentRun('keyboard-input'), maxMs)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
  clearTimeout(limit)
  const module = testModules.find(({ moduleId }) => moduleId === path)
  if (!module) return { failure: null, failedTest: null }
  const failed = [...module.children.allTests()].find((test) => test.result().state === 'failed')
  return {
    failure: failureOf(module, failed, unhandledErrors),
    failedTest: failed?.fullName ?? null,
  }
}

function failureOf(
  module: TestModule,
  failed: TestCase | undefined,
  unhandled: unknown[],
): string | null {
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
