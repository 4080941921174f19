/**
 * Signing in and registering, whose passwords are hashed by Argon2id, beside orders over HTTP: the rate of orders
 * beside their rate without, in turns. Five sign-ins and one registration a second are 18,000 and 3,600 an hour; and
 * besides, as many sign-ins as eight connections can make.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Load, type LoadResult, startGenerator } from './http-load.ts'
import { orderLoad, ordersFor, signInsOf, startProduct } from './product.ts'
import {
  isShort,
  medianOf,
  microsecondsEach,
  printTable,
  progress,
  ratioOf,
  saveFigures,
} from './report.ts'
import { register } from './stack.ts'

const PLAYERS = 1_000
const ORDER_CLIENTS = 500
const SIGN_INS_A_SECOND = 5
const REGISTER_EVERY_MS = 1_000
const MANY_CLIENTS = 8
const TURNS = isShort ? 1 : 4
const WARM_UP_MS = isShort ? 300 : 1_000
const FOR_MS = isShort ? 1_500 : 8_000

const product = await startProduct(PLAYERS)
const [orders, signIns] = [startGenerator(), startGenerator()]
const { owner, stack } = product
let registered = 0
try {
  const signIn: Load = {
    ...{ port: product.port, path: '/api/user/login', clients: MANY_CLIENTS, keyed: false },
    requests: await signInsOf(owner),
    ...{ ratePerSecond: SIGN_INS_A_SECOND, warmUpMs: WARM_UP_MS, forMs: FOR_MS, watched: {} },
  }
  const kinds = {
    'orders alone': async () => null,
    'beside five sign-ins and one registration': async () => {
      const [result] = await Promise.all([signIns.run(signIn), registerOften()])
      return result
    },
    'beside as many sign-ins as eight make': () => signIns.run({ ...signIn, ratePerSecond: null }),
  } satisfies Record<string, () => Promise<LoadResult | null>>

  const runs = new Map<string, { orders: LoadResult[]; signIns: LoadResult[] }>()
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [kind, besides] of Object.entries(kinds)) {
      await owner.query('checkpoint')
      const requests = await ordersFor(product, WARM_UP_MS + FOR_MS)
      const [ordered, signedIn] = await Promise.all([
        orders.run(
          orderLoad(product, {
            ...{ clients: ORDER_CLIENTS, requests, warmUpMs: WARM_UP_MS, forMs: FOR_MS },
          }),
        ),
        besides(),
      ])
      progress(kind, ordered)
      const known = runs.get(kind) ?? { orders: [], signIns: [] }
      known.orders.push(ordered)
      if (signedIn) known.signIns.push(signedIn)
      runs.set(kind, known)
    }
  }

  const alone = runs.get('orders alone')?.orders ?? []
  const rows = [...runs].map(([name, { orders, signIns }]) => ({
    name,
    'orders a second': medianOf(orders, ({ perSecond }) => perSecond),
    '× alone': ratioOf(orders, alone),
    'p99 ms': medianOf(orders, ({ p99 }) => p99),
    'server µs': microsecondsEach(orders, 'server'),
    'sign-ins a second': medianOf(signIns, ({ perSecond }) => perSecond),
    'sign-in p50 ms': medianOf(signIns, ({ p50 }) => p50),
    'sign-in p99 ms': medianOf(signIns, ({ p99 }) => p99),
  }))
  printTable('Orders beside sign-ins', rows)
  console.log(`${registered} players were registered.`)
  const beside = runs.get('beside five sign-ins and one registration')?.orders ?? []
  const target = { figure: 'orders beside sign-ins, beside alone', unit: '×', atLeast: 0.9 }
  saveFigures('accounts', {
    ...{ turns: TURNS, secondsEach: FOR_MS / 1_000, registered, rows },
    targets: [{ ...target, value: ratioOf(beside, alone) }],
  })
} finally {
  await Promise.all([orders.stop(), signIns.stop()])
  await product.stop()
}

async function registerOften(): Promise<void> {
  const made: Promise<unknown>[] = []
  for (let ms = 0; ms < WARM_UP_MS + FOR_MS; ms += REGISTER_EVERY_MS) {
    registered += 1
    made.push(register(stack, `newcomer_${registered}`))
    await sleep(REGISTER_EVERY_MS)
  }
  await Promise.all(made)
}
