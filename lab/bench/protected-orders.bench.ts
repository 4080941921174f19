/**
 * Durable orders a second over HTTP of players who have set all nine limits and a reality check, as a ratio to
 * the same orders of the same players without any limit. Both take short turns on one server, without and with
 * by turns (A B B A A B …), so that what else the machine does falls on both alike. Each pair of neighbours gives
 * a ratio; the median of them is told, with the middle half of them as its spread.
 *
 * No limit is reached: judging by them is what is measured, and refusing is not.
 */
import { type LoadResult, startGenerator } from './http-load.ts'
import { orderLoad, ordersFor, startProduct } from './product.ts'
import {
  isShort,
  medianOf,
  microsecondsEach,
  printTable,
  progress,
  ratioOf,
  saveFigures,
} from './report.ts'

const PLAYERS = 1_000
const CLIENTS = 500
const PAIRS = isShort ? 4 : 20
const WARM_UP_MS = 500
const FOR_MS = isShort ? 1_000 : 2_000
/** More than anybody stakes here, in micro-units. */
const FAR_LIMIT = 10n ** 15n

const product = await startProduct(PLAYERS)
const generator = startGenerator()

/** Gives each player all nine limits and a reality check, or takes them away. */
async function setLimits(are: boolean): Promise<void> {
  const { owner } = product
  await owner.query('delete from protection.player_limit')
  if (are) {
    await owner.query(
      `insert into protection.player_limit (player_id, kind, period, amount, set_at)
       select player_id, kind, period, $1, app.now() from protection.player
         cross join unnest('{deposit,loss,stake}'::text[]) kind
         cross join unnest('{day,week,month}'::text[]) period`,
      [FAR_LIMIT],
    )
  }
  await owner.query('update protection.player set check_every = $1', [are ? '240 minutes' : null])
  await owner.query('vacuum analyze protection.player_limit, protection.player')
  // So that no part waits for the disk on account of what another wrote.
  await owner.query('checkpoint')
}

try {
  const runs: Record<'without limits' | 'all nine limits', LoadResult[]> = {
    'without limits': [],
    'all nine limits': [],
  }
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const sides = ['without limits', 'all nine limits'] as const
    for (const side of pair % 2 === 0 ? sides : sides.toReversed()) {
      await setLimits(side === 'all nine limits')
      const requests = await ordersFor(product, WARM_UP_MS + FOR_MS)
      const result = await generator.run(
        orderLoad(product, { clients: CLIENTS, requests, warmUpMs: WARM_UP_MS, forMs: FOR_MS }),
      )
      runs[side].push(result)
      progress(side, result)
    }
  }
  const rows = Object.entries(runs).map(([name, each]) => ({
    name,
    'a second': medianOf(each, ({ perSecond }) => perSecond),
    '× without': ratioOf(each, runs['without limits']),
    'p50 ms': medianOf(each, ({ p50 }) => p50),
    'p99 ms': medianOf(each, ({ p99 }) => p99),
    'server µs': microsecondsEach(each, 'server'),
    'database µs': microsecondsEach(each, 'database'),
  }))
  const ratios = runs['all nine limits']
    .map(({ perSecond }, pair) => perSecond / (runs['without limits'][pair]?.perSecond ?? 0))
    .sort((a, b) => a - b)
  const [low, high] = [0.25, 0.75].map((part) => ratios[Math.floor(part * ratios.length)] ?? 0)
  printTable('Orders of players with limits', rows)
  console.log(
    `The middle half of ${PAIRS} pairs has ratios from ${low?.toFixed(2)} to ${high?.toFixed(2)}.`,
  )
  saveFigures('protected-orders', { pairs: PAIRS, secondsEach: FOR_MS / 1_000, ratios, rows })
} finally {
  await generator.stop()
  await product.stop()
}
