/**
 * Puts each small fault into the SQL functions, alone, and runs the tests that can reach it: a fault
 * that no test notices is printed. Can be ended and goes on where it was, as long as neither the
 * function nor the rules changed.
 *
 *     npm run mutants                     all of them, which takes long
 *     npm run mutants -- bets. rounds.    functions whose names begin so
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { mutantsOf, type SqlMutant } from './sql-mutants.ts'

const SERVER = join(import.meta.dirname, '..')
const ROOT = join(SERVER, '..', '..')
const FUNCTIONS = join(SERVER, 'sql', 'functions')
const CACHE = join(ROOT, '.cache', 'mutants')
const RESULTS = join(CACHE, 'results.jsonl')

/** A run that takes so long hangs, which is noticed as well. */
const RUN_MAX_MS = 600_000

/** The folders under src/ whose tests reach a schema's functions, besides its own module. */
const REACHED_BY: Record<string, string[]> = {
  app: ['db', 'jobs'],
  clock: ['db'],
  ledger: ['modules/wallet', 'modules/bets'],
  wallet: ['modules/bets', 'modules/withdrawals', 'modules/deposits'],
  games: ['modules/rooms', 'modules/bets'],
  fairness: ['engine', 'modules/rounds'],
  rounds: ['engine'],
  bets: ['engine', 'modules/rooms'],
  robots: ['jobs'],
  accounts: ['modules/staff'],
  deposits: ['jobs'],
  staff: ['modules/withdrawals'],
  withdrawals: ['modules/staff'],
  inbox: [],
  content: [],
}

type Verdict = 'found' | 'not found' | 'not SQL'

type Result = {
  id: string
  verdict: Verdict
  where: string
  rule: string
  before: string
  after: string
}

const wanted = process.argv.slice(2)
const known = new Map(readResults().map((result) => [result.id, result]))
const results: Result[] = []
for (const { schema, mutant, id } of allMutants()) {
  const result = known.get(id) ?? (await tryOne(schema, mutant, id))
  results.push(result)
  if (result.verdict === 'not found')
    console.log(`not found: ${result.where}: ${result.rule}: ${result.before}`)
}
const tried = results.filter(({ verdict }) => verdict !== 'not SQL')
const found = tried.filter(({ verdict }) => verdict === 'found').length
console.log(`${found} of ${tried.length} faults found`)

function allMutants(): { schema: string; mutant: SqlMutant; id: string }[] {
  return readdirSync(FUNCTIONS).flatMap((file) =>
    mutantsOf(readFileSync(join(FUNCTIONS, file), 'utf8'))
      .filter(({ functionName }) => {
        return wanted.length === 0 || wanted.some((start) => functionName.startsWith(start))
      })
      .map((mutant) => ({
        schema: file.replace('.sql', ''),
        mutant,
        id: createHash('sha256').update(mutant.text).digest('hex'),
      })),
  )
}

async function tryOne(schema: string, mutant: SqlMutant, id: string): Promise<Result> {
  const folder = join(CACHE, 'functions')
  rmSync(folder, { recursive: true, force: true })
  cpSync(FUNCTIONS, folder, { recursive: true })
  writeFileSync(join(folder, `${schema}.sql`), mutant.text)
  const result: Result = {
    id,
    verdict: await verdictOfTests(schema, folder),
    where: `${mutant.functionName} (${schema}.sql, line ${mutant.line})`,
    rule: mutant.rule,
    before: mutant.before,
    after: mutant.after,
  }
  mkdirSync(CACHE, { recursive: true })
  appendFileSync(RESULTS, `${JSON.stringify(result)}\n`)
  return result
}

function verdictOfTests(schema: string, functions: string): Promise<Verdict> {
  const folders = [`modules/${schema}`, ...(REACHED_BY[schema] ?? [])]
    .map((folder) => join('apps', 'server', 'src', folder))
    .filter((folder) => existsSync(join(ROOT, folder)))
  const child = spawn(
    join(ROOT, 'node_modules', '.bin', 'vitest'),
    ['run', '--bail=1', '--reporter=dot', ...folders],
    {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, TESTED_SQL_FUNCTIONS: functions },
    },
  )
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGTERM'), RUN_MAX_MS)
    child.on('close', (code) => {
      clearTimeout(timer)
      if (code === 0) resolve('not found')
      else resolve(said.includes('MigrationError') ? 'not SQL' : 'found')
    })
  })
}

function readResults(): Result[] {
  if (!existsSync(RESULTS)) return []
  return readFileSync(RESULTS, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
