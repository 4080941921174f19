/** A process that runs tests for run-mutants.ts against a database with a fault in it, one fault at a time. */
import { openTestBench, type TestRun } from './test-bench.ts'

/** The function with the fault, the test files in their order, and how long they may take together. */
export type Order = { statement: string; files: string[]; maxMs: number }

export type Answer =
  | { kind: 'ready' }
  | {
      kind: 'tried'
      /** What the parser said against the fault. */
      notSql: string | null
      /** The failure of the test that found it, and its file. */
      failure: string | null
      file: string | null
    }

/** Errors that the machine may have caused instead of the fault. */
const MAY_BE_THE_MACHINE = /timed out|nothing came within|unhandled|^the file:/i

const [, , folder = ''] = process.argv
const bench = await openTestBench(folder)
/** Tests that passed alone without a fault. */
const sound = new Set<string>()

process.on('message', async (order: Order | 'end') => {
  if (order === 'end') {
    await bench.close()
    process.exit(0)
  }
  sendAnswer(await tryFault(order))
})
process.on('disconnect', () => process.exit(1))
sendAnswer({ kind: 'ready' })

function sendAnswer(answer: Answer): void {
  process.send?.(answer)
}

async function tryFault({ statement, files, maxMs }: Order): Promise<Answer> {
  const notSql = await bench.applyToTemplate([statement])
  const none = { kind: 'tried' as const, notSql, failure: null, file: null }
  if (notSql) return none
  const until = performance.now() + maxMs
  for (const file of files) {
    const left = until - performance.now()
    if (left < 0) break
    const run = await bench.run(file, { maxMs: left })
    if (!run.failure) continue
    const key = `${file} ${run.failedTest}`
    const result = { ...none, failure: run.failure, file }
    if (sound.has(key) && !MAY_BE_THE_MACHINE.test(run.failure)) return result
    if (await passesWithoutFault(file, run)) {
      sound.add(key)
      return result
    }
    console.error(`fails without a fault too: ${key}`)
    await bench.applyToTemplate([statement])
  }
  return none
}

/** If the same test fails without the fault too, its result has no meaning. */
async function passesWithoutFault(file: string, { failedTest }: TestRun): Promise<boolean> {
  await bench.applyToTemplate([])
  const control = await bench.run(file, failedTest ? { names: [failedTest] } : {})
  return control.failure === null
}
