/**
 * A process that runs tests for run-mutants.ts, one order at a time: it learns which functions the tests
 * of a file call, or runs tests against a database with a fault in it.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { functionsOf } from './sql-mutants.ts'
import { openTestBench, type TestBench, type TestRun } from './test-bench.ts'

export type Order =
  | { kind: 'learn'; file: string }
  | { kind: 'try'; statement: string; runs: { file: string; names: string[] }[] }

/** The functions that a file of tests calls: for each the tests, or null for all of the file. */
export type Learned = {
  tests: Record<string, number>
  calls: Record<string, string[] | null>
  failure: string | null
}

export type Answer =
  | { kind: 'ready' }
  | ({ kind: 'learned' } & Learned)
  | {
      kind: 'tried'
      notSql: string | null
      failure: string | null
      file: string | null
      test: string | null
    }

const FUNCTIONS = join(import.meta.dirname, '..', 'sql', 'functions')

/** With a fault in the database, a wait and a test that take this long have failed. */
const TRIED = { test: 60_000, wait: 25_000 }
const LEARNED = { test: 300_000, wait: 120_000 }

const [, , kind, folder = ''] = process.argv
const bench = await openTestBench({
  folder,
  keepDatabases: kind === 'learn',
  stopAtFirst: kind === 'try',
  testMaxMs: kind === 'learn' ? LEARNED : TRIED,
})
if (kind === 'learn') await countEveryCall(bench)
process.on('message', async (order: Order | 'end') => {
  if (order === 'end') {
    await bench.close()
    process.exit(0)
  }
  sendAnswer(order.kind === 'learn' ? await learn(order.file) : await tryFault(order))
})
process.on('disconnect', () => process.exit(1))
sendAnswer({ kind: 'ready' })

function sendAnswer(answer: Answer): void {
  process.send?.(answer)
}

/**
 * Makes PostgreSQL count every call. A function in SQL that it would write into its caller is counted once
 * it has a setting of its own. One in PL/pgSQL that ends with an error is not counted: it takes a number from
 * a sequence as it begins, which stays taken.
 */
async function countEveryCall(of: TestBench): Promise<void> {
  const inlinable = (await of.functions()).filter((each) => each.inlinable)
  const written = globSync('**/*.sql', { cwd: FUNCTIONS })
    .flatMap((file) => functionsOf(readFileSync(join(FUNCTIONS, file), 'utf8')))
    .filter(({ statement }) => /language plpgsql/.test(statement))
  const problem = await of.applyToTemplate([
    'create schema calls; grant usage on schema calls to public',
    ...inlinable.map(
      ({ signature }) => `alter function ${signature} set search_path = pg_catalog, pg_temp`,
    ),
    ...written.flatMap(({ name, statement }) => [
      `create sequence calls."${name}"; grant usage on sequence calls."${name}" to public`,
      statement.replace(/\nbegin\n/, `\nbegin\n  perform nextval('calls."${name}"');\n`),
    ]),
  ])
  if (problem) throw new Error(problem)
}

async function learn(file: string): Promise<Answer> {
  const run = await bench.run(file, null)
  const calls: Record<string, string[] | null> = {}
  for (const { test, functions } of await bench.takeLeftDatabases()) {
    for (const name of functions) {
      const known = calls[name]
      if (test === null || known === null) calls[name] = null
      else calls[name] = [...(known ?? []), test]
    }
  }
  const tests = Object.fromEntries(
    run.tests.filter(({ passed }) => passed).map(({ name, ms }) => [name, ms]),
  )
  return { kind: 'learned', tests, calls, failure: run.failure }
}

/** Errors that the machine may have caused instead of the fault. */
const MAY_BE_THE_MACHINE = /timed out|nothing came within|unhandled|^the file:/i

/** Tests that passed alone without a fault, and those that failed so: what these say has no meaning. */
const sound = new Set<string>()
const unsound = new Set<string>()

async function tryFault({ statement, runs }: Order & { kind: 'try' }): Promise<Answer> {
  const notSql = await bench.applyToTemplate([statement])
  const none = { kind: 'tried' as const, notSql, failure: null, file: null, test: null }
  if (notSql) return none
  for (const { file, names } of runs) {
    let left = names
    for (;;) {
      left = left.filter((name) => !unsound.has(`${file} ${name}`))
      if (left.length === 0) break
      const run = await bench.run(file, left)
      if (!run.failure) break
      const test = failedTest(run)
      const found = { ...none, failure: run.failure, file, test }
      const key = `${file} ${test}`
      if (sound.has(key) && !MAY_BE_THE_MACHINE.test(run.failure)) return found
      // The same test without the fault: if it fails too, its result has no meaning.
      await bench.applyToTemplate([])
      const control = await bench.run(file, test ? [test] : left)
      if (!control.failure) {
        sound.add(key)
        return found
      }
      if (!test || sound.has(key)) {
        // The machine was too busy; the next run decides.
        await bench.applyToTemplate([statement])
        break
      }
      unsound.add(key)
      console.error(`fails alone, without a fault: ${key}: ${control.failure}`)
      await bench.applyToTemplate([statement])
    }
  }
  return none
}

function failedTest(run: TestRun): string | null {
  return run.tests.find(({ passed, skipped }) => !passed && !skipped)?.name ?? null
}
