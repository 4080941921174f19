/**
 * Reading results and candles of any past day with years of history, against a database with that
 * day only, on the same machine in the same run. Nothing is cached between reads. BENCH_DAYS is the
 * number of days in the history; the default, 3,650, is four million rounds and takes about a
 * minute to make.
 */
import { addDays } from '@sum28/domain/schedule.ts'
import type { Database, Queryable } from '@sum28/server/src/db/database.ts'
import { candlesBefore } from '@sum28/server/src/modules/rounds/candle-store.ts'
import { countResults, resultsOf } from '@sum28/server/src/modules/rounds/round-store.ts'
import { startBenchDatabase } from './database.ts'
import { GAMES, makeHistory } from './history.ts'
import { median, report } from './report.ts'

const LAST_DAY = '2026-11-20'
const DAYS = Number(process.env.BENCH_DAYS ?? 3_650)
const TURNS = 400
const WARM_UP = 50

type GameDay = { gameId: number; day: string }
type Read = (db: Queryable, gameDay: GameDay) => Promise<unknown[]>

const READS: Record<string, Read> = {
  'results of a day, with their number': async (db, gameDay) => {
    const results = await resultsOf(db, { ...gameDay, limit: 480, offset: 0 })
    if ((await countResults(db, gameDay)) !== results.length) throw new Error('a result is missing')
    return results
  },
  'candles of a day': (db, gameDay) => candlesBefore(db, { ...gameDay, before: null, limit: 300 }),
}

/** Reads without a day; only a long history could make these slow. */
const UNDATED: Record<string, Read> = {
  'latest two results, as a room shows': (db, { gameId }) =>
    resultsOf(db, { gameId, day: null, limit: 2, offset: 0 }),
  'a page from the middle, with the number of all': async (db, { gameId }) => {
    const all = await countResults(db, { gameId, day: null })
    return resultsOf(db, { gameId, day: null, limit: 50, offset: Math.floor(all / 2) })
  },
  '300 candles before any round': (db, { gameId, day }) => {
    const before = { issue: `${day.replaceAll('-', '')}101`, day }
    return candlesBefore(db, { gameId, day: null, before, limit: 300 })
  },
}

const [long, short] = await Promise.all([startBenchDatabase(2), startBenchDatabase(2)])
try {
  const started = performance.now()
  const rounds = await makeHistory(long.owner, { lastDay: LAST_DAY, days: DAYS })
  await makeHistory(short.owner, { lastDay: LAST_DAY, days: 1 })
  const seconds = (performance.now() - started) / 1000
  report(`Reading a past day (history made in ${Math.round(seconds)} s)`, [
    { name: 'rounds of history', value: rounds, unit: '' },
  ])

  for (const [name, read] of Object.entries(READS)) {
    await expectIndexes(long.db, read)
    const one: number[] = []
    const any: number[] = []
    for (let turn = 0; turn < TURNS; turn++) {
      const gameId = (turn % GAMES) + 1
      const tookOne = await timed(() => read(short.db, { gameId, day: LAST_DAY }))
      const tookAny = await timed(() => read(long.db, { gameId, day: someDay(turn) }))
      if (turn < WARM_UP) continue
      one.push(tookOne)
      any.push(tookAny)
    }
    report(name, [
      { name: 'a database of one day', value: median(one), unit: 'ms' },
      { name: 'any day of the history', value: median(any), unit: 'ms' },
      { name: 'ratio', value: median(any) / median(one), unit: '×' },
    ])
  }

  const figures = []
  for (const [name, read] of Object.entries(UNDATED)) {
    await expectIndexes(long.db, read)
    const took: number[] = []
    for (let turn = 0; turn < WARM_UP; turn++) {
      const gameDay = { gameId: (turn % GAMES) + 1, day: someDay(turn) }
      took.push(await timed(() => read(long.db, gameDay)))
    }
    figures.push({ name, value: median(took), unit: 'ms' })
  }
  report('Reading the history without a day', figures)
} finally {
  await Promise.all([long.stop(), short.stop()])
}

/** A different day of the history each time. */
function someDay(turn: number): string {
  return addDays(LAST_DAY, -((turn * 619 + 1) % (DAYS - 2)) - 1)
}

async function timed(read: () => Promise<unknown[]>): Promise<number> {
  const start = performance.now()
  const rows = await read()
  if (rows.length === 0) throw new Error('nothing was read')
  return performance.now() - start
}

/** Runs a read and checks the plan of each statement: none may scan all rounds. */
async function expectIndexes(db: Database, read: Read): Promise<void> {
  const sent: [string, readonly unknown[]][] = []
  await read(
    {
      query: (text, values = []) => {
        sent.push([text, values])
        return db.query(text, values)
      },
    },
    { gameId: 1, day: someDay(1) },
  )
  for (const [text, values] of sent) {
    const plan = await db.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
    const steps = plan.map((row) => row['QUERY PLAN']).join('\n')
    if (/Seq Scan on (round|draw|candle)\b/.test(steps))
      throw new Error(`a statement reads everything:\n${text}\n${steps}`)
  }
}
