/** A process that runs tests for run-mutants.ts against a database with a fault in it, one fault at a time. */
import { type Find, nameOf } from './earlier-finds.ts'
import { openTestBench, type TestRun } from './test-bench.ts'

export type Order = {
  /** The function with the fault. */
  statement: string
  /** The test that found this fault before, which is tried alone and first. */
  first: Find | null
  /** Test files in their order, and how long they may take together. */
  files: string[]
  maxMs: number
  /** Tests that passed without a fault. */
  sound: ReadonlySet<string>
}

export type Answer = {
  /** What the parser said against the fault. */
  notSql: string | null
  /** The test that found it. */
  find: Find | null
}

/** Errors that the machine may have caused instead of the fault. */
const MAY_BE_THE_MACHINE = /timed out|nothing came within|unhandled|^the file:/i

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

async function tryFault({ statement, first, files, maxMs, sound }: Order): Promise<Answer> {
  const notSql = await bench.applyToTemplate([statement])
  if (notSql) return { notSql, find: null }
  const until = performance.now() + maxMs
  const tries = [...(first ? [first] : []), ...files.map((file) => ({ file, test: null }))]
  for (const { file, test } of tries) {
    const left = until - performance.now()
    if (left < 0) break
    const run = await bench.run(file, { names: test ? [test] : [], maxMs: left })
    if (!run.failure) continue
    const find = { file, test: run.failedTest }
    const isSound = sound.has(nameOf(find)) && !MAY_BE_THE_MACHINE.test(run.failure)
    if (isSound || (await passesWithoutFault(file, run))) return { notSql, find }
    console.error(`fails without a fault too: ${nameOf(find)}`)
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
