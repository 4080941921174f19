/**
 * Heartbeats a second over HTTP, at 200 and at 2,000 kept connections of 2,000 players in 16 rooms, first
 * with empty rounds and then with 100,000 bets in the four running rounds, beside the bare framework that
 * answers the same bytes to the same generator.
 */
import { type Baseline, startConstant } from './baselines.ts'
import { bodyOf, type Load, type LoadResult, startGenerator } from './http-load.ts'
import { heartbeatsOf, placeMany, runningRounds, startProduct } from './product.ts'
import {
  answerColumns,
  isShort,
  medianOf,
  printTable,
  ratioOf,
  saveFigures,
  type Target,
} from './report.ts'

const PLAYERS = 2_000
const CLIENTS = [200, 2_000]
const BETS = isShort ? 10_000 : 100_000
const WITH_BETS = `${BETS.toLocaleString('en')} bets`
const TURNS = isShort ? 1 : 3
const WARM_UP_MS = isShort ? 500 : 2_000
const FOR_MS = isShort ? 1_000 : 6_000

const product = await startProduct(PLAYERS)
const generator = startGenerator()
let constant: Baseline | undefined
try {
  const results = new Map<string, LoadResult[]>()
  const load: Load = {
    port: product.port,
    path: '/api/Lottery/heart',
    clients: CLIENTS[0] as number,
    requests: [],
    keyed: false,
    ratePerSecond: null,
    warmUpMs: WARM_UP_MS,
    forMs: FOR_MS,
    watched: product.watched,
  }

  async function measure(name: string, change: Partial<Load>): Promise<LoadResult> {
    const result = await generator.run({ ...load, ...change })
    results.set(name, [...(results.get(name) ?? []), result])
    return result
  }

  // Phones have seen the feed: they ask for what came after it.
  const empty = heartbeatsOf(product.players, 0)
  const first = await generator.run({ ...load, requests: empty, forMs: 1_000 })
  constant = await startConstant(bodyOf(first))
  const { database } = product.watched
  const bare = {
    port: constant.port,
    watched: { server: { pid: constant.pid }, ...(database ? { database } : {}) },
  }

  async function measureAll(state: string, requests: Load['requests']): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const clients of CLIENTS) {
        await measure(`bare framework, ${clients} clients, ${state}`, {
          ...bare,
          clients,
          requests,
        })
        await measure(`heartbeats, ${clients} clients, ${state}`, { clients, requests })
      }
    }
  }
  await measureAll('no bets', empty)
  // Now, for what came before takes minutes on a slow machine.
  const issues = await runningRounds(product, 180)
  const last = await placeMany(product, { issues, count: BETS })
  await measureAll(WITH_BETS, heartbeatsOf(product.players, last))

  const of = (kind: string, clients: number, state: string) =>
    results.get(`${kind}, ${clients} clients, ${state}`) ?? []
  const targets = CLIENTS.flatMap((clients): Target[] => {
    const [bare, loaded] = ['bare framework', 'heartbeats'].map((kind) =>
      of(kind, clients, WITH_BETS),
    )
    const empty = of('heartbeats', clients, 'no bets')
    return [
      {
        ...{ figure: `${clients} clients beside the bare framework`, unit: '×', atLeast: 0.6 },
        value: ratioOf(loaded ?? [], bare ?? []),
      },
      {
        ...{ figure: `${clients} clients, with bets beside without`, unit: '×', atLeast: 0.95 },
        value: ratioOf(loaded ?? [], empty),
      },
    ]
  })
  const rows = [...results].map(([name, runs]) => ({
    name,
    'a second': medianOf(runs, ({ perSecond }) => perSecond),
    '× bare': ratioOf(runs, results.get(name.replace('heartbeats', 'bare framework')) ?? []),
    ...answerColumns(runs),
  }))
  printTable('Heartbeats over HTTP', rows)
  const run = { turns: TURNS, secondsEach: FOR_MS / 1_000, bets: BETS }
  saveFigures('heartbeats', { ...run, rows, targets })
} finally {
  await generator.stop()
  await constant?.stop()
  await product.stop()
}
