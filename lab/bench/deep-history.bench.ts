/**
 * An order, a heartbeat, a page of a player's history, the results of a past day, and the console's lists over HTTP
 * with a year of rounds and of bets of a million players in the database, beside the same without them, in turns on two
 * products. Both have the rounds of that year's last day, and the players who ask have a hundred bets of that year.
 * BENCH_ROWS is the number of bets; there are a tenth as many players.
 */
import { createHash, randomBytes } from 'node:crypto'
import { addOwnBets, fillYear, LAST_DAY, makeRounds } from './deep-rows.ts'
import { type Load, Turns } from './http-load.ts'
import { heartbeatsOf, ordersFor, type Product, startProduct } from './product.ts'
import { isShort, medianOf, printTable, ratioOf, report } from './report.ts'

const BETS = Number(process.env.BENCH_ROWS ?? (isShort ? 100_000 : 10_000_000))
const PLAYERS = 400
const CLIENTS = 200
const OWN_BETS = 100
const TURNS = isShort ? 1 : 6
const WARM_UP_MS = isShort ? 300 : 500
const FOR_MS = isShort ? 1_000 : 2_500

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
/** Half of what a statement may take. */
const REPORT_MS_MAX = 3_000
const STAFF_CLIENTS = 4

/** Nothing is lost with a bench's database. */
const SETTINGS = { max_wal_size: '6GB', checkpoint_timeout: '1h' }

const [deep, empty] = await Promise.all([
  startProduct(PLAYERS, {
    settings: SETTINGS,
    prepare: (owner) => fillYear(owner, { bets: BETS, players: BETS / 10 }),
  }),
  startProduct(PLAYERS, {
    settings: SETTINGS,
    prepare: (owner) => makeRounds(owner, { days: 1 }),
  }),
])
const turns = new Turns()
try {
  for (const { owner, players } of [deep, empty]) {
    const firstPlayer = Math.min(...players.map(({ id }) => id))
    await addOwnBets(owner, { firstPlayer, players: PLAYERS, each: OWN_BETS })
    await owner.query('vacuum analyze')
  }
  const sides = { without: await loadsOf(empty), with: await loadsOf(deep) }
  const kinds = Object.keys(sides.with)
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const kind of kinds) {
      // What comes first has no advantage in all turns.
      const order = ['without', 'with'] as const
      for (const side of turn % 2 === 0 ? order : order.toReversed()) {
        await (side === 'with' ? deep : empty).owner.query('checkpoint')
        const asked = await sides[side][kind]?.()
        if (asked) await turns.run(`${kind}, ${side}`, asked)
      }
    }
  }
  const rows = turns.rows({ '× without': (name) => name.replace(/with$/, 'without') })
  printTable(`With ${BETS.toLocaleString('en')} bets and without`, rows)
  const figures = kinds.map((kind) => {
    const loaded = turns.of(`${kind}, with`)
    if (kind in REPORTS) {
      const value = medianOf(loaded, ({ p50 }) => p50)
      return { name: `${kind}, p50`, value, unit: 'ms', atMost: REPORT_MS_MAX }
    }
    const value = ratioOf(loaded, turns.of(`${kind}, without`))
    const atLeast = kind in LISTS ? 0.5 : 0.9
    return { name: `${kind}, beside without`, value, unit: '×', atLeast }
  })
  report('deep-history', figures, { bets: BETS, players: BETS / 10, turns: TURNS, rows })
} finally {
  await turns.stop()
  await Promise.all([deep.stop(), empty.stop()])
}

/** What is measured on a product, by its name. */
async function loadsOf(product: Product): Promise<Record<string, () => Promise<Load>>> {
  const { port, players, watched } = product
  // Half of the players bet, and those of the others are read: their history does not grow meanwhile.
  const [half, others] = [players.slice(0, CLIENTS), players.slice(CLIENTS)]
  const load = async (path: string, requests: Load['requests']): Promise<Load> => ({
    ...{ port, watched, path, requests, clients: Math.min(CLIENTS, requests.length) },
    ...{ keyed: false, ratePerSecond: null, warmUpMs: WARM_UP_MS, forMs: FOR_MS },
  })
  const asking = (by: typeof players, body: object) =>
    by.map(({ token }) => ({ token, body: JSON.stringify(body) }))
  const pages = { begin_date: day(360), end_date: day(2), page: 1, limit: 20 }
  const results = { game_id: 1, date: LAST_DAY, limit: 480 }
  const staff = { token: await staffTokenOf(product), id: 0 }
  const ofStaff = Object.entries({ ...LISTS, ...REPORTS }).map(([kind, [list, filter]]) => [
    kind,
    () => load(`/api/staff/${list}`, asking(Array(STAFF_CLIENTS).fill(staff), filter)),
  ])
  return {
    'a page of history': () => load('/api/user/orderList', asking(others, pages)),
    'results of a past day': () => load('/api/Lottery/issueList', asking(half, results)),
    'an order': async () => {
      const orders = await ordersFor({ ...product, players: half }, WARM_UP_MS + FOR_MS)
      return { ...(await load('/api/Lottery/playOrder', orders)), keyed: true }
    },
    'a heartbeat': () => {
      return load('/api/Lottery/heart', heartbeatsOf(half, Number.MAX_SAFE_INTEGER))
    },
    ...Object.fromEntries(ofStaff),
  }
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
