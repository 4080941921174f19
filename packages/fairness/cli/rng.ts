/** `npm run rng`: tests the draws of the production function for randomness. See docs/rng.md. */
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { DRAWS_MIN, qualityTests } from '../quality/quality-tests.ts'
import { durationOf, tableOf, verdictOf } from '../quality/rng-report.ts'
import { runStretches, type Stretch } from '../quality/run-stretches.ts'
import { STRETCH_ROUNDS } from '../quality/sample-rounds.ts'
import { addTallies, emptyTally, GAMES } from '../quality/tally.ts'
import { isHex } from '../src/hex.ts'

const DRAWS = 10_000_000
const USAGE = `npm run rng -- [--draws N] [--seed HEX] [--threads N]
npm run --silent rng -- --raw [--draws N] [--seed HEX] [--threads N] | dieharder -a -g 200

  --draws N    draws in all, ${DRAWS_MIN} or more; rounded up to whole rounds of ${GAMES} games
               (${DRAWS} by default; --raw continues until the reader stops)
  --seed HEX   32 bytes in hex, to repeat a run; otherwise from the operating system
  --threads N  1 to 64; by default the number of the machine's processors
  --raw        bytes instead of tests: 32 a draw, before any is skipped or taken mod 10

Exit code: 0 all tests passed, 1 a test failed, 2 the command cannot be understood or run.`

interface Options {
  readonly draws: number
  readonly seed: string
  readonly threads: number
  readonly raw: boolean
}

/** The options of the command line, or a sentence that says what is wrong with them. */
function readOptions(args: string[]): Options | 'help' | { fault: string } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        draws: { type: 'string' },
        seed: { type: 'string', default: randomBytes(32).toString('hex') },
        threads: { type: 'string', default: String(availableParallelism()) },
        raw: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return 'help'
    const endless = Number.MAX_SAFE_INTEGER - GAMES
    const requested =
      values.draws === undefined ? (values.raw ? endless : DRAWS) : whole(values.draws)
    const least = values.raw ? 1 : DRAWS_MIN
    if (!(requested >= least)) return { fault: `--draws takes a whole number from ${least}.` }
    if (!isHex(values.seed, 32)) return { fault: '--seed takes 64 lower-case hex characters.' }
    const threads = whole(values.threads)
    if (!(threads >= 1 && threads <= 64)) return { fault: '--threads takes 1 to 64.' }
    const draws = Math.ceil(requested / GAMES) * GAMES
    return { draws, threads, seed: values.seed, raw: values.raw }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

function whole(text: string): number {
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
}

function* stretchesOf({ draws, seed, raw }: Options): Generator<Stretch, void> {
  const rounds = draws / GAMES
  for (let index = 0; index * STRETCH_ROUNDS < rounds; index++) {
    yield { seed, raw, index, rounds: Math.min(STRETCH_ROUNDS, rounds - index * STRETCH_ROUNDS) }
  }
}

async function testDraws(options: Options): Promise<number> {
  const { draws, seed } = options
  console.log(`Seed ${seed}`)
  console.log(
    `${draws.toLocaleString('en-US')} draws of the production function on ${options.threads} threads. ` +
      'Seeds come from real seed chains; SHA-256 of a counter stands in for the beacon.',
  )
  const begun = performance.now()
  let tally = emptyTally()
  let done = 0
  for await (const result of runStretches(stretchesOf(options), options.threads)) {
    if (!('tally' in result)) continue
    tally = addTallies(tally, result.tally)
    done = Math.min(draws, (result.index + 1) * STRETCH_ROUNDS * GAMES)
    if (process.stderr.isTTY) process.stderr.write(`\r${Math.floor((done / draws) * 100)}% `)
  }
  if (process.stderr.isTTY) process.stderr.write('\r')
  const tookMs = performance.now() - begun
  const tests = qualityTests(tally)
  console.log(`\n${tableOf(tests)}\n`)
  console.log(`Took ${durationOf({ tookMs, draws })}.`)
  console.log(verdictOf(tests))
  return tests.every((test) => test.passed) ? 0 : 1
}

async function streamBytes(options: Options): Promise<number> {
  process.stderr.write(`Seed ${options.seed}\n`)
  // A reader that has enough closes the pipe; that is a normal end.
  const closed = new Promise<false>((resolve) => process.stdout.on('error', () => resolve(false)))
  for await (const result of runStretches(stretchesOf(options), options.threads)) {
    if (!('bytes' in result)) continue
    const written = new Promise<boolean>((resolve) => {
      process.stdout.write(result.bytes, (error) => resolve(!error))
    })
    if (!(await Promise.race([written, closed]))) break
  }
  return 0
}

const options = readOptions(process.argv.slice(2))
if (options === 'help') {
  console.log(USAGE)
} else if ('fault' in options) {
  console.error(`${options.fault}\n\n${USAGE}`)
  process.exitCode = 2
} else {
  process.exitCode = await (options.raw ? streamBytes(options) : testDraws(options))
}
