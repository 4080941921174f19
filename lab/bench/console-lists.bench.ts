/**
 * Pages of the console's lists with ten million rows of the kinds that a house has most of, against a thousand, on the
 * same machine in the same run: the first page, pages from the middle, and filtered ones. Nothing is cached between
 * reads. BENCH_ROWS is the number of rows; with --short it is 100,000. BENCH_ONLY is a pattern of names of reads:
 * of these the plans are told too.
 */
import type { Queryable } from '@sum28/server/src/db/database.ts'
import { LISTS, OTHERS, type Read } from './console-reads.ts'
import { fillConsole } from './console-rows.ts'
import { startBenchDatabase } from './database.ts'
import { isShort, median, printTable, type Row, report, saveFigures } from './report.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? (isShort ? 100_000 : 10_000_000))
const FEW = 1_000
const TURNS = isShort ? 10 : 40
const WARM_UP = 3

/** A list that would read everything is given up after so many turns. */
const SLOW_MS = 1_000

/** Nothing is lost with a bench's database. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '6GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
}

const ONLY = process.env.BENCH_ONLY ?? ''
const WANTED = new RegExp(ONLY)

const READS = Object.entries<Read>(Object.assign({}, ...Object.values(LISTS), OTHERS)).filter(
  ([name]) => WANTED.test(name),
)

const many = await startBenchDatabase(2, SETTINGS)
const few = await startBenchDatabase(2, SETTINGS)
try {
  const started = performance.now()
  await fillConsole(few.owner, FEW)
  await fillConsole(many.owner, ROWS)
  report('The console’s lists', [
    { name: 'rows of the largest kinds', value: ROWS, unit: '' },
    { name: 'made in', value: (performance.now() - started) / 1000, unit: 's' },
  ])
  const table: Row[] = []
  for (const [name, read] of READS) {
    const plan = await scansOf(many.db, (db) => read(db, ROWS))
    const [ofFew, ofMany]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < TURNS; turn++) {
      const tookFew = await timed(name, () => read(few.db, FEW))
      const tookMany = await timed(name, () => read(many.db, ROWS))
      if (turn < WARM_UP && tookMany < SLOW_MS) continue
      ofFew.push(tookFew)
      ofMany.push(tookMany)
      if (tookMany > SLOW_MS && turn >= 2) break
    }
    const row = {
      name,
      'a thousand, ms': median(ofFew),
      'all, ms': median(ofMany),
      'ratio, ×': median(ofMany) / median(ofFew),
      'reads whole tables': plan,
    }
    console.log(JSON.stringify(row))
    table.push(row)
  }
  printTable('A page of each list', table)
  saveFigures('console-lists', { rows: ROWS, lists: table })
} finally {
  await Promise.all([many.stop(), few.stop()])
}

async function timed(name: string, read: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  const page = (await read()) as { list?: readonly unknown[] }
  if (!page.list?.length) throw new Error(`a page is empty: ${name}`)
  return performance.now() - start
}

/** The tables that a read's statements scan from end to end. */
async function scansOf(db: Queryable, read: (db: Queryable) => Promise<unknown>): Promise<string> {
  const scans = new Set<string>()
  await read({
    async query(text, values = []) {
      const how = ONLY ? 'explain (analyze, buffers)' : 'explain'
      const plan = await db.query<{ 'QUERY PLAN': string }>(`${how} ${text}`, values)
      if (ONLY) console.log(plan.map((line) => line['QUERY PLAN']).join('\n'))
      for (const line of plan) {
        const table = /Seq Scan on (\w+)/.exec(line['QUERY PLAN'])?.[1]
        if (table && !/^(game|room|member|rule)$/.test(table)) scans.add(table)
      }
      return db.query(text, values)
    },
  } as Queryable)
  return [...scans].join(', ') || '–'
}
