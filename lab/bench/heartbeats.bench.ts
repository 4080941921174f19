/**
 * Heartbeats a second over HTTP, at 200 and at 2,000 kept connections of 2,000 players in 16 rooms, first
 * with empty rounds and then with 100,000 bets in the four running rounds, beside the bare framework that
 * answers the same bytes to the same generator.
 */
import { type Baseline, startConstant } from './baselines.ts'
import { bodyOf, Turns } from './http-load.ts'
import type { Load } from './load-generator.ts'
import { heartbeatsOf, placeMany, runningRounds, startProduct } from './product.ts'
import { isShort, printTable, ratioOf, report } from './report.ts'

const PLAYERS = 2_000
const CLIENTS = [200, 2_000]
const BETS = isShort ? 10_000 : 100_000
const WITHOUT = 'no bets'
const WITH_BETS = `${BETS.toLocaleString('en')} bets`
const TURNS = isShort ? 1 : 3
const WARM_UP_MS = isShort ? 500 : 2_000
const FOR_MS = isShort ? 1_000 : 6_000

const nameOf = (kind: 'bare framework' | 'heartbeats', clients: number, state: string) =>
  `${kind}, ${clients} clients, ${state}`

const product = await startProduct(PLAYERS)
const turns = new Turns()
let constant: Baseline | undefined
try {
  const { port, players, watched } = product
  const load: Load = {
    port,
    path: '/api/Lottery/heart',
    clients: CLIENTS[0] as number,
    watched,
    requests: [],
    keyed: false,
    ratePerSecond: null,
    warmUpMs: WARM_UP_MS,
    forMs: FOR_MS,
  }
  // Phones have seen the feed: they ask for what came after it.
  const empty = heartbeatsOf(players, 0)
  const first = await turns.begin({ ...load, requests: empty, forMs: 1_000 })
  constant = await startConstant(bodyOf(first))
  const bare = {
    port: constant.port,
    watched: { server: { pid: constant.pid }, database: watched.database },
  }

  async function measureAll(state: string, requests: Load['requests']): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const clients of CLIENTS) {
        const now = { ...load, clients, requests }
        await turns.run(nameOf('bare framework', clients, state), { ...now, ...bare })
        await turns.run(nameOf('heartbeats', clients, state), now)
      }
    }
  }
  await measureAll(WITHOUT, empty)
  // Now, for what came before takes minutes on a slow machine.
  const issues = await runningRounds(product, 180)
  const last = await placeMany(product, { issues, count: BETS })
  await measureAll(WITH_BETS, heartbeatsOf(players, last))

  const rows = turns.rows({ '× bare': (name) => name.replace('heartbeats', 'bare framework') })
  printTable('Heartbeats over HTTP', rows)
  const figures = CLIENTS.flatMap((clients) => {
    const loaded = turns.of(nameOf('heartbeats', clients, WITH_BETS))
    const beside = (kind: 'bare framework' | 'heartbeats', state: string) => ({
      value: ratioOf(loaded, turns.of(nameOf(kind, clients, state))),
      unit: '×',
    })
    return [
      {
        name: `${clients} clients beside the bare framework`,
        atLeast: 0.6,
        ...beside('bare framework', WITH_BETS),
      },
      {
        name: `${clients} clients, with bets beside without`,
        atLeast: 0.95,
        ...beside('heartbeats', WITHOUT),
      },
    ]
  })
  report('heartbeats', figures, { turns: TURNS, secondsEach: FOR_MS / 1_000, bets: BETS, rows })
} finally {
  await turns.stop()
  await constant?.stop()
  await product.stop()
}
