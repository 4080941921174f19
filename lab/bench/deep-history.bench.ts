/**
 * An order, a heartbeat and a page of a player's history over HTTP with a year of rounds and of bets of a million players
 * in the database, beside the same without them, in turns on two products. The players who ask have a hundred bets of
 * that year. BENCH_ROWS is the number of bets; there are a tenth as many players.
 */
import { addOwnBets, fillYear } from './deep-rows.ts'
import { Turns } from './http-load.ts'
import type { Load } from './load-generator.ts'
import { heartbeatsOf, ordersFor, type Product, startProduct } from './product.ts'
import { isShort, printTable, ratioOf, report } from './report.ts'

const BETS = Number(process.env.BENCH_ROWS ?? (isShort ? 100_000 : 10_000_000))
const PLAYERS = 400
const CLIENTS = 200
const OWN_BETS = 100
const TURNS = isShort ? 1 : 6
const WARM_UP_MS = isShort ? 300 : 500
const FOR_MS = isShort ? 1_000 : 2_500

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** Nothing is lost with a bench's database. */
const SETTINGS = { max_wal_size: '6GB', checkpoint_timeout: '1h' }

const [deep, empty] = await Promise.all([
  startProduct(PLAYERS, {
    settings: SETTINGS,
    prepare: (owner) => fillYear(owner, { bets: BETS, players: BETS / 10 }),
  }),
  startProduct(PLAYERS, { settings: SETTINGS }),
])
const turns = new Turns()
try {
  for (const { owner, players } of [deep, empty]) {
    const firstPlayer = Math.min(...players.map(({ id }) => id))
    await addOwnBets(owner, { firstPlayer, players: PLAYERS, each: OWN_BETS })
    await owner.query('vacuum analyze')
  }
  const sides = { without: loadsOf(empty), with: loadsOf(deep) }
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
    const value = ratioOf(turns.of(`${kind}, with`), turns.of(`${kind}, without`))
    return { name: `${kind}, beside without`, value, unit: '×', atLeast: 0.9 }
  })
  report('deep-history', figures, { bets: BETS, players: BETS / 10, turns: TURNS, rows })
} finally {
  await turns.stop()
  await Promise.all([deep.stop(), empty.stop()])
}

/** What is measured on a product, by its name. */
function loadsOf(product: Product): Record<string, () => Promise<Load>> {
  const { port, players, watched } = product
  // Half of the players bet, and those of the others are read: their history does not grow meanwhile.
  const [half, others] = [players.slice(0, CLIENTS), players.slice(CLIENTS)]
  const load = async (path: string, requests: Load['requests']): Promise<Load> => ({
    port,
    watched,
    path,
    requests,
    clients: CLIENTS,
    keyed: false,
    ratePerSecond: null,
    warmUpMs: WARM_UP_MS,
    forMs: FOR_MS,
  })
  const asking = (by: typeof players, body: object) =>
    by.map(({ token }) => ({ token, body: JSON.stringify(body) }))
  const pages = { begin_date: day(360), end_date: day(2), page: 1, limit: 20 }
  return {
    'a page of history': () => load('/api/user/orderList', asking(others, pages)),
    'an order': async () => {
      const orders = await ordersFor({ ...product, players: half }, WARM_UP_MS + FOR_MS)
      return { ...(await load('/api/Lottery/playOrder', orders)), keyed: true }
    },
    'a heartbeat': () => load('/api/Lottery/heart', heartbeatsOf(half, Number.MAX_SAFE_INTEGER)),
  }
}
