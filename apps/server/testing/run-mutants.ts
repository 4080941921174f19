/**
 * Puts each small fault into the SQL functions, alone, and runs the tests that call the function: a fault
 * that no test notices is printed. Can be ended and goes on where it was, as long as the function's text,
 * the rules and the tests stay what they are. docs/mutants.md says how to read what it prints.
 *
 *     npm run mutants                      all of them
 *     npm run mutants -- bets. rounds.     functions whose names begin so
 *     MUTANT_JOBS=1 npm run mutants        one fault at a time instead of two
 *     MUTANT_SECONDS=400 npm run mutants   up to so many seconds of tests for a fault instead of 45
 *     npm run mutants -- --explained       also those that docs/mutants.md says change nothing
 *     npm run mutants -- --report          what is known, without running anything
 *     npm run mutants -- --only=bets/refund bets.  with no other tests than those of files whose path contains this
 *     npm run mutants -- --quick           with no tests that start the product
 *     npm run mutants -- --learn modules/  only which functions these tests call
 *     npm run mutants -- --keep            keeps what is known with the code, for other clones
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readExplained } from './explained-mutants.ts'
import { packResults, unpackResults } from './kept-results.ts'
import { idOf, type MutantResult, MutantResults } from './mutant-results.ts'
import type { Answer } from './mutant-worker.ts'
import { ReachedTests } from './reached-tests.ts'
import { functionsOf, mutantsOf } from './sql-mutants.ts'
import { withWorkers } from './worker-pool.ts'

const SERVER = join(import.meta.dirname, '..')
const ROOT = join(SERVER, '..', '..')
const FUNCTIONS = join(SERVER, 'sql', 'functions')
const CACHE = join(ROOT, '.cache', 'mutants')
const JOBS = Number(process.env.MUTANT_JOBS ?? 2)
const SECONDS = Number(process.env.MUTANT_SECONDS ?? 45)

const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const only = flags.find((flag) => flag.startsWith('--only='))?.slice('--only='.length) ?? null
const quick = flags.includes('--quick')
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const FLAG = /^--(explained|keep|known|learn|only=.+|quick|report)$/
const unknown = flags.find((flag) => !FLAG.test(flag))
if (unknown) {
  console.error(`There is no ${unknown}: docs/mutants.md says which there are.`)
  process.exit(1)
}

const texts = globSync('**/*.sql', { cwd: FUNCTIONS }).map((file) => ({
  file,
  text: readFileSync(join(FUNCTIONS, file), 'utf8'),
}))
const callers = new Map(
  texts.flatMap(({ text }) => functionsOf(text)).map(({ name, statement }) => [name, statement]),
)
unpackResults(CACHE)
const reached = new ReachedTests({ root: ROOT, cache: CACHE, functions: callers })
const results = new MutantResults(CACHE)
const explained = readExplained(join(ROOT, 'docs', 'mutants.md'))
const allMutants = texts.flatMap(({ file, text }) =>
  mutantsOf(text).map((mutant) => ({ ...mutant, file, id: idOf(mutant) })),
)
const mutants = allMutants.filter(({ functionName }) => {
  return wanted.length === 0 || wanted.some((start) => functionName.startsWith(start))
})

if (flags.includes('--keep')) keepWithTheCode()
else if (flags.includes('--learn')) await learn(wanted)
else {
  if (!flags.includes('--report')) {
    if (only !== null) await learn([only])
    else if (!flags.includes('--known')) await learn([''])
    await tryAll()
  }
  report()
}

async function learn(starts: string[]): Promise<void> {
  const files = reached.unlearned().filter((file) => {
    return starts.some((start) => file.includes(start))
  })
  if (files.length === 0) return
  console.log(`learning which functions the tests of ${files.length} files call`)
  await withWorkers({ kind: 'learn', jobs: JOBS, maxMs: 900_000 }, files, {
    order: (file) => ({ kind: 'learn' as const, file }),
    done(file, answer) {
      if (answer?.kind === 'learned') reached.keep(file, answer)
      else reached.keep(file, { tests: {}, calls: {}, failure: 'no answer' })
      if (answer?.kind === 'learned' && !answer.failure) return
      console.log(`left out: ${file}: ${answer?.kind === 'learned' ? answer.failure : 'no answer'}`)
    },
  })
}

function keepWithTheCode(): void {
  reached.forgetOthers()
  results.forgetOthers(new Set(allMutants.map(({ id }) => id)))
  packResults(CACHE)
}

/** In the order of their ids, which are hashes: what is known when the command is ended is a fair sample of all. */
async function tryAll(): Promise<void> {
  const untried = mutants
    .filter((mutant) => flags.includes('--explained') || !explained.has(mutant))
    .filter((mutant) => !knownResult(mutant))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const begun = performance.now()
  let tried = 0
  await withWorkers({ kind: 'try', jobs: JOBS, maxMs: 1_200_000 }, untried, {
    order: (mutant) => ({
      kind: 'try' as const,
      statement: mutant.statement,
      runs: reached.runsFor(mutant.functionName, {
        finders: results.findersOf(mutant.functionName),
        seconds: SECONDS,
        only,
        quick,
      }),
    }),
    done(mutant, answer) {
      tried += 1
      // Without an answer in time the result is unknown, and the next run tries it again.
      const result = answer?.kind === 'tried' ? resultOf(mutant, answer) : null
      // What some of the tests do not find, others may.
      if (result && (result.verdict !== 'not found' || (only === null && !quick)))
        results.keep(result)
      const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
      console.log(
        `${tried} of ${untried.length}, ${minutes} min: ${result?.verdict ?? 'no answer'}: ${placeOf(mutant)}: ${mutant.rule}: ${mutant.before}`,
      )
    },
  })
}

type Mutant = (typeof mutants)[number]

function knownResult(mutant: Mutant): MutantResult | null {
  const result = results.of(mutant.id)
  if (!result) return null
  if (result.verdict === 'not SQL') return result
  if (result.verdict === 'found') {
    return result.file && reached.hashOf(result.file) === result.tests ? result : null
  }
  const triedEnough = (result.seconds ?? 0) >= SECONDS
  return triedEnough && reached.fingerprint(mutant.functionName) === result.tests ? result : null
}

function resultOf(mutant: Mutant, answer: Answer & { kind: 'tried' }): MutantResult {
  const { id, functionName, rule, before, after } = mutant
  const base = { id, functionName, rule, before, after }
  const { notSql, failure, file, test } = answer
  if (notSql)
    return { ...base, verdict: 'not SQL', file: null, test: null, failure: notSql, tests: '' }
  if (failure) {
    return { ...base, verdict: 'found', file, test, failure, tests: reached.hashOf(file ?? '') }
  }
  const tests = reached.fingerprint(functionName)
  return {
    ...base,
    verdict: 'not found',
    file: null,
    test: null,
    failure: null,
    tests,
    seconds: SECONDS,
  }
}

function placeOf({ functionName, file, line }: Mutant): string {
  return `${functionName} (${file}:${line})`
}

/** Prints the faults that were not found and a table by schema, and writes the same as JSON. */
function report(): void {
  const rows = new Map<string, Count>()
  const left: object[] = []
  for (const mutant of mutants) {
    // A result of a test that has changed since is none.
    const result = knownResult(mutant)
    const schema = mutant.file.replace('.sql', '')
    const row = rows.get(schema) ?? { found: 0, missed: 0, explained: 0, untried: 0 }
    rows.set(schema, row)
    if (result?.verdict === 'not SQL') continue
    if (result?.verdict === 'found') {
      row.found += 1
      if (explained.has(mutant))
        console.log(`explained, but found: ${placeOf(mutant)}: ${mutant.rule}: ${mutant.before}`)
    } else if (explained.has(mutant)) row.explained += 1
    else if (!result) row.untried += 1
    else {
      row.missed += 1
      left.push({ place: placeOf(mutant), ...mutant, statement: undefined })
      console.log(`not found: ${placeOf(mutant)}: ${mutant.rule}: ${mutant.before}`)
    }
  }
  const all = sum([...rows.values()])
  console.table(
    Object.fromEntries([...rows, ['all', all]].map(([name, row]) => [name, shown(row as Count)])),
  )
  results.writeSummary({ bySchema: Object.fromEntries(rows), all, notFound: left })
  console.log(
    `${all.found} of ${all.found + all.missed} faults found; ${all.explained} more change nothing (docs/mutants.md)`,
  )
  for (const stale of explained.unused(mutants))
    console.log(`explained, but no fault of today: ${stale}`)
}

type Count = { found: number; missed: number; explained: number; untried: number }

function shown(row: Count) {
  const counted = row.found + row.missed
  return {
    ...row,
    'found of what counts': counted ? `${((100 * row.found) / counted).toFixed(1)}%` : '',
  }
}

function sum(rows: Count[]): Count {
  const all = { found: 0, missed: 0, explained: 0, untried: 0 }
  for (const row of rows)
    for (const key of Object.keys(all) as (keyof Count)[]) all[key] += row[key]
  return all
}
