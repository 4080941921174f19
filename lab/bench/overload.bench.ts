/**
 * Three times as many orders as the server bears, at a fixed rate whatever its answers: the usual load, half of
 * what it bears, goes on all the time, and a crowd comes for a minute. Told is how soon the usual load is served as
 * before. Fails where an order was taken by half: each key, bet and posting must belong to one another.
 */
import { startGenerator } from './http-load.ts'
import type { Load, LoadResult } from './load-generator.ts'
import { orderLoad, ordersOf, type Product, runningRounds, startProduct } from './product.ts'
import { isShort, report } from './report.ts'

const USUAL = { clients: isShort ? 500 : 2_000, share: 0.5 }
const CROWD = { clients: isShort ? 2_500 : 7_000, share: 2.5 }
const BEFORE_MS = isShort ? 2_000 : 10_000
const CROWD_MS = isShort ? 5_000 : 60_000
const AFTER_MS = isShort ? 6_000 : 20_000
const MEASURE_MS = isShort ? 1_500 : 8_000
const WINDOW_MS = 250
/** Four windows in a row, so that one good moment is not taken for the end. */
const CALM_WINDOWS = 4

const product = await startProduct(USUAL.clients + CROWD.clients)
const [usualGenerator, crowdGenerator] = [startGenerator(), startGenerator()]
try {
  const totalSeconds = (MEASURE_MS + BEFORE_MS + CROWD_MS + AFTER_MS) / 1_000
  const issues = await runningRounds(product, 2 * totalSeconds + 30)
  const requests = ordersOf(product.players, issues, 16)
  const load = (clients: number, of: Load['requests']) =>
    orderLoad(product, { clients, requests: of, warmUpMs: 1_000, forMs: MEASURE_MS })
  const borne = await usualGenerator.run(load(500, requests))
  await product.owner.query('checkpoint')

  const usual = usualGenerator.run({
    ...load(USUAL.clients, requests.slice(0, USUAL.clients)),
    ratePerSecond: borne.perSecond * USUAL.share,
    windowMs: WINDOW_MS,
    // As the server turns away connections above its most.
    givesUp: true,
    forMs: BEFORE_MS + CROWD_MS + AFTER_MS,
  })
  await new Promise((done) => setTimeout(done, BEFORE_MS))
  const crowd = await crowdGenerator.run({
    ...load(CROWD.clients, requests.slice(USUAL.clients)),
    ratePerSecond: borne.perSecond * CROWD.share,
    warmUpMs: 0,
    forMs: CROWD_MS,
    givesUp: true,
  })
  const loads = [borne, await usual, crowd] as const
  const answered = loads.reduce((sum, { accepted }) => sum + accepted, 0)
  const taken = await ordersTaken(product, loads)
  if (answered > taken) throw new Error('an order was answered as accepted and is not there')
  const backAfter = secondsUntilBack(loads[1], crowd)
  report('overload', [
    { name: 'borne, closed loop', value: borne.perSecond, unit: '/s' },
    { name: 'orders of the crowd that were taken', value: crowd.accepted, unit: '' },
    { name: 'back to normal after', value: backAfter, unit: 's', atMost: 5 },
    { name: 'orders taken, and answered too late', value: taken - answered, unit: '' },
  ])
} finally {
  await Promise.all([usualGenerator.stop(), crowdGenerator.stop()])
  await product.stop()
}

/** Seconds after the crowd until the usual orders wait no longer than at the worst before it. */
function secondsUntilBack(usual: LoadResult, crowd: LoadResult): number {
  const before = usual.windows.filter(({ until }) => until < crowd.from)
  const worstBefore = Math.max(...before.map(({ p99 }) => p99))
  const after = usual.windows.filter(({ until }) => until > crowd.until)
  const isCalm = ({ p50 }: { p50: number }) => p50 <= worstBefore
  const first = after.findIndex((_, position) => {
    const next = after.slice(position, position + CALM_WINDOWS)
    return next.length === CALM_WINDOWS && next.every(isCalm)
  })
  return first < 0 ? Number.POSITIVE_INFINITY : (first * WINDOW_MS) / 1_000
}

/** How many orders were taken. Fails unless each has one posting. */
async function ordersTaken({ owner }: Product, loads: readonly LoadResult[]): Promise<number> {
  const [found] = await owner.query<Record<'bets' | 'postings', number>>(
    `select count(distinct bet.id)::integer as bets, count(posting.id)::integer as postings
     from bets.bet left join ledger.posting on posting.holder_id = bet.player_id and posting.kind = 'stake'
       and posting.reference = 'bet:' || bet.id and posting.amount = bet.total
     where split_part(client_key, '-', 1) = any ($1)`,
    [loads.map(({ keysBegin }) => keysBegin)],
  )
  if (!found || found.bets !== found.postings) {
    throw new Error(`orders were taken by half: ${JSON.stringify(found)}`)
  }
  return found.bets
}
