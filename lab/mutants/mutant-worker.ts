/** A process that runs tests for run-mutants.ts against a database with a fault in it, one fault at a time. */
import { openTestBench, type TestRun } from './test-bench.ts'

/** A test by its file and its full name; the name is null if the file itself failed. */
type Find = { file: string; test: string | null }

export type Order = {
  /** The function with the fault. */
  statement: string
  /** Test files in their order, and how long they may take together. */
  files: string[]
  maxMs: number
}

export type Answer = {
  /** What the parser said against the fault. */
  notSql: string | null
  /** The test that found it. */
  find: Find | null
}

const [, , folder = ''] = process.argv
const bench = await openTestBench(folder)
let isBusy = false

process.on('message', async (order: Order) => {
  isBusy = true
  const answer = await tryFault(order)
  isBusy = false
  process.send?.(answer)
})
process.on('disconnect', async () => {
  if (!isBusy) await bench.close()
  process.exit()
})
process.send?.('ready')

async function tryFault({ statement, files, maxMs }: Order): Promise<Answer> {
  const notSql = await bench.applyToTemplate([statement])
  if (notSql) return { notSql, find: null }
  const until = performance.now() + maxMs
  for (const file of files) {
    const left = until - performance.now()
    if (left < 0) break
    const run = await bench.run(file, { names: [], maxMs: left })
    if (!run.failure) continue
    const find = { file, test: run.failedTest }
    if (await passesWithoutFault(file, run)) return { notSql, find }
    console.error(`fails without a fault too: ${file} ${run.failedTest}`)
    await bench.applyToTemplate([statement])
  }
  return { notSql, find: null }
}

/** If the same test fails without the fault too, its result has no meaning. */
async function passesWithoutFault(file: string, { failedTest }: TestRun): Promise<boolean> {
  await bench.applyToTemplate([])
  const control = await bench.run(file, { names: failedTest ? [failedTest] : [] })
  return control.failure === null
}
