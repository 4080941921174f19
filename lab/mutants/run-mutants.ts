/**
 * Puts small faults into the SQL functions, each alone, and runs the tests nearest to the function: a fault that no
 * test notices is printed. Without a prefix, a random sample of all, for as many minutes as MUTANT_MINUTES.
 *
 *     npm run mutants                        a sample, in 15 minutes
 *     npm run mutants -- --seed 28           the same sample again
 *     npm run mutants -- bets. rounds.       all faults of the functions whose names begin so
 *     MUTANT_SECONDS=400 npm run mutants …   up to so many seconds of tests for a fault instead of 90
 */
import { createHash, randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readExplained } from './explained-mutants.ts'
import type { Answer } from './mutant-worker.ts'
import { nearestTests } from './nearest-tests.ts'
import { functionsOf, mutantsOf } from './sql-mutants.ts'
import { withWorkers } from './worker-pool.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FUNCTIONS = join(ROOT, 'apps/server/sql/functions')
const SECONDS = Number(process.env.MUTANT_SECONDS ?? 90)
const MINUTES = Number(process.env.MUTANT_MINUTES ?? 15)

const { values: options, positionals: prefixes } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' } },
})
const isSample = prefixes.length === 0

const texts = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sql'))
  .map((file) => ({ file, text: readFileSync(join(FUNCTIONS, file), 'utf8') }))
const functions = new Map(
  texts.flatMap(({ text }) => functionsOf(text)).map(({ name, statement }) => [name, statement]),
)
const testsOf = nearestTests(ROOT, functions)
const explained = readExplained(join(import.meta.dirname, 'explained.md'))
const all = texts.flatMap(({ file, text }) => mutantsOf(text).map((each) => ({ ...each, file })))
const seed = Number(options.seed ?? randomInt(1_000_000))
const wanted = shuffled(
  all
    .filter(({ functionName }) => isSample || prefixes.some((one) => functionName.startsWith(one)))
    .filter((mutant) => !explained.has(mutant)),
)
console.log(
  isSample
    ? `a sample of ${wanted.length} faults, for ${MINUTES} minutes; --seed ${seed} takes it again`
    : `${wanted.length} faults`,
)

type Mutant = (typeof all)[number]
type Verdict = 'found' | 'not found' | 'not SQL' | 'no answer'

const count: Record<Verdict, number> = { found: 0, 'not found': 0, 'not SQL': 0, 'no answer': 0 }
const missed: string[] = []
const begun = performance.now()
await withWorkers(wanted, {
  until: isSample ? begun + MINUTES * 60_000 : Number.POSITIVE_INFINITY,
  maxMs: SECONDS * 1_000 + 300_000,
  order: (mutant) => ({
    statement: mutant.statement,
    files: testsOf(mutant.functionName),
    maxMs: SECONDS * 1_000,
  }),
  done(mutant, answer) {
    const verdict = verdictOf(answer)
    count[verdict] += 1
    if (verdict === 'not found') missed.push(lineOf(mutant))
    const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
    const by = answer?.find ? ` by ${answer.find.file}` : ''
    console.log(`${minutes} min: ${verdict}${by}: ${lineOf(mutant)}`)
  },
})

const tried = count.found + count['not found']
console.log(`\n${count.found} of ${tried} faults found; ${count['not SQL']} were no SQL`)
for (const line of missed) console.log(`not found: ${line}`)
for (const stale of explained.unused(all)) console.log(`explained, but no fault of today: ${stale}`)
process.exit(missed.length > 0 ? 1 : 0)

function verdictOf(answer: Answer | null): Verdict {
  if (!answer) return 'no answer'
  if (answer.notSql) return 'not SQL'
  return answer.find ? 'found' : 'not found'
}

function lineOf({ functionName, file, line, rule, before }: Mutant): string {
  return `${functionName} (${file}:${line}): ${rule}: ${before}`
}

/** In an order that the seed decides. */
function shuffled(mutants: readonly Mutant[]): Mutant[] {
  const hashOf = ({ statement }: Mutant) =>
    createHash('sha256').update(`${seed} ${statement}`).digest('hex')
  return mutants
    .map((mutant) => ({ mutant, at: hashOf(mutant) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ mutant }) => mutant)
}
