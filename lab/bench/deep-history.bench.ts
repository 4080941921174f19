/**
 * An order, a heartbeat, a page of a player's history, the results of a past day, and the console's lists of bets,
 * players and rounds over HTTP with a year of rounds and of bets of a million players in the database, beside the same without them, in turns on two products. Both have the
 * rounds of that year's last day, and the players who ask have a hundred bets of that year.
 * BENCH_ROWS is the number of bets; there are a tenth as many players.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '@sum28/server/src/db/database.ts'
import { addOwnBets, fillYear, LAST_DAY } from './deep-rows.ts'
import { makeHistory } from './history.ts'
import { type Load, type LoadResult, startGenerator } from './http-load.ts'
import { heartbeatsOf, ordersOf, type Product, runningRounds, startProduct } from './product.ts'
import {
  isShort,
  medianOf,
  printTable,
  ratioOf,
  report,
  saveFigures,
  type Target,
} from './report.ts'

const BETS = Number(process.env.BENCH_ROWS ?? (isShort ? 100_000 : 10_000_000))
const PLAYERS = 400
const CLIENTS = 200
const OWN_BETS = 100
const TURNS = isShort ? 1 : 6
const WARM_UP_MS = isShort ? 300 : 500
const FOR_MS = isShort ? 1_000 : 2_500

const OF_PLAYERS = [
  'a page of history',
  'results of a past day',
  'an order',
  'a heartbeat',
] as const
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** The console's lists of what there is a year of, which a few members of staff read at once. */
const LISTS = {
  'all bets': ['bets', {}],
  'bets of a day': ['bets', { from_day: day(100), until_day: day(100) }],
  'bets of a room': ['bets', { room_id: 12, from_day: day(360), until_day: day(100) }],
  'all players': ['players', {}],
  'players by a name': ['players', { q: 'deep1' }],
  // Of ten players; there are more names with a longer part of the year's players than a part of three letters finds.
  'players by a part of a name': ['players', { q: 'p100001' }],
  'the register of protection': ['players/protection', {}],
  'frozen players': ['players', { state: 'frozen' }],
  'players of a day': ['players', { from_day: day(100), until_day: day(100) }],
  'all rounds': ['rounds', {}],
  'rounds of a day': ['rounds', { day: day(100) }],
  'voided rounds': ['rounds', { state: 'voided' }],
  'withdrawals for oneself': ['withdrawals', { turn: 'you' }],
  'proposals for oneself': ['proposals', { turn: 'you' }],
  'templates of messages': ['templates', {}],
} as const

/** Reports count what there is, so that they are measured by their time alone. */
const REPORTS = {
  'players of 30 days': ['reports/activity', { begin_date: day(130), end_date: day(101) }],
} as const
const OF_STAFF = Object.keys(LISTS) as (keyof typeof LISTS)[]
const OF_REPORTS = Object.keys(REPORTS) as (keyof typeof REPORTS)[]
/** Half of what a statement may take. */
const REPORT_MS_MAX = 3_000
const KINDS = [...OF_PLAYERS, ...OF_STAFF, ...OF_REPORTS] as const
const STAFF_CLIENTS = 4

/** Nothing is lost with a bench's database. */
const SETTINGS = { max_wal_size: '6GB', checkpoint_timeout: '1h' }

const started = performance.now()
const [deep, empty] = await Promise.all([
  startProduct(PLAYERS, {
    settings: SETTINGS,
    async prepare(owner: Database) {
      await fillYear(owner, { bets: BETS, players: BETS / 10 })
    },
  }),
  startProduct(PLAYERS, {
    settings: SETTINGS,
    async prepare(owner: Database) {
      await makeHistory(owner, { lastDay: LAST_DAY, days: 1 })
    },
  }),
])
const generator = startGenerator()
try {
  for (const { owner, players } of [deep, empty]) {
    const firstPlayer = Math.min(...players.map(({ id }) => id))
    await addOwnBets(owner, { firstPlayer, players: PLAYERS, each: OWN_BETS })
    await owner.query('vacuum analyze')
  }
  report('With history and without', [
    { name: 'bets', value: BETS, unit: '' },
    { name: 'players', value: BETS / 10, unit: '' },
    { name: 'made in', value: (performance.now() - started) / 1_000, unit: 's' },
  ])
  const results = new Map<string, LoadResult[]>()
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const kind of KINDS) {
      // What comes first has no advantage in all turns.
      const sides = [
        ['without', empty],
        ['with', deep],
      ] as const
      for (const [side, product] of turn % 2 === 0 ? sides : sides.toReversed()) {
        await product.owner.query('checkpoint')
        const result = await generator.run(await loadOf(kind, product))
        const name = `${kind}, ${side}`
        results.set(name, [...(results.get(name) ?? []), result])
      }
    }
  }
  const of = (name: string) => results.get(name) ?? []
  const rows = [...results].map(([name, runs]) => ({
    name,
    'a second': medianOf(runs, ({ perSecond }) => perSecond),
    '× without': ratioOf(runs, of(name.replace(/with$/, 'without'))),
    'p50 ms': medianOf(runs, ({ p50 }) => p50),
    'p99 ms': medianOf(runs, ({ p99 }) => p99),
  }))
  printTable('With history and without', rows)
  const targets = KINDS.map((kind): Target => {
    if (kind in REPORTS) {
      const p50 = medianOf(of(`${kind}, with`), (run) => run.p50)
      return { figure: `${kind}, p50`, value: p50, unit: 'ms', atMost: REPORT_MS_MAX }
    }
    const value = ratioOf(of(`${kind}, with`), of(`${kind}, without`))
    const atLeast = (OF_STAFF as readonly string[]).includes(kind) ? 0.5 : 0.9
    return { figure: `${kind}, beside without`, value, unit: '×', atLeast }
  })
  saveFigures('deep-history', { bets: BETS, players: BETS / 10, turns: TURNS, rows, targets })
} finally {
  await generator.stop()
  await Promise.all([deep.stop(), empty.stop()])
}

async function loadOf(kind: (typeof KINDS)[number], product: Product): Promise<Load> {
  const { port, players, watched } = product
  const issues = await runningRounds(product, (2 * (WARM_UP_MS + FOR_MS)) / 1_000)
  const load = {
    ...{ port, clients: CLIENTS, keyed: false, ratePerSecond: null, watched },
    ...{ warmUpMs: WARM_UP_MS, forMs: FOR_MS },
  }
  // Half of the players bet, and those of the others are read: their history does not grow meanwhile.
  const half = players.slice(0, CLIENTS)
  if (kind === 'an order') {
    return {
      ...load,
      path: '/api/Lottery/playOrder',
      keyed: true,
      requests: ordersOf(half, issues, 16),
    }
  }
  if (kind === 'a heartbeat') {
    const requests = heartbeatsOf(half, Number.MAX_SAFE_INTEGER)
    return { ...load, path: '/api/Lottery/heart', requests }
  }
  if (kind === 'results of a past day') {
    const body = JSON.stringify({ game_id: 1, date: LAST_DAY, limit: 480 })
    const requests = half.map(({ token }) => ({ token, body }))
    return { ...load, path: '/api/Lottery/issueList', requests }
  }
  const asked = { ...LISTS, ...REPORTS }
  if (kind in asked) {
    const [list, filter] = asked[kind as keyof typeof asked]
    const requests = [{ token: await staffTokenOf(product), body: JSON.stringify(filter) }]
    return { ...load, clients: STAFF_CLIENTS, path: `/api/staff/${list}`, requests }
  }
  const body = JSON.stringify({ begin_date: day(360), end_date: day(2), page: 1, limit: 20 })
  const requests = players.slice(CLIENTS).map(({ token }) => ({ token, body }))
  return { ...load, path: '/api/user/orderList', requests }
}

/** A session of an auditor, which is made for it. */
async function staffTokenOf({ owner }: Product): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await owner.query(
    `with member as (
       insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id)
       values ($1, 'auditor', 'none', 'none', 'none') returning id)
     insert into staff.session (token_hash, staff_id, address) select $2, id, 'bench' from member`,
    [`reader-${token.slice(0, 8).toLowerCase()}`, createHash('sha256').update(token).digest()],
  )
  return token
}
