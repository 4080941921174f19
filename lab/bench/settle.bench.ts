/**
 * Settling a million bets of one round by the running product, beside one plain UPDATE of the same rows in a copy
 * of their table; and the rate of orders over HTTP while another such round is settled, beside their rate without.
 * PostgreSQL is set as a house sets it (deploy/house/postgresql.conf): with the 128 MB of a small machine, a round of
 * this size does not fit, and each order waits for pages of bets to be written. BENCH_BETS is the number of bets of
 * each round.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { addPlayers } from './database.ts'
import { startGenerator } from './http-load.ts'
import type { LoadResult } from './load-generator.ts'
import { orderLoad, ordersFor, startProduct } from './product.ts'
import { isShort, report } from './report.ts'
import { type MadeRound, makeRound } from './round-rows.ts'

const BETS = Number(process.env.BENCH_BETS ?? (isShort ? 60_000 : 1_000_000))
const HOLDERS = Math.ceil(BETS / 10)
const PLAYERS = 1_000
const CLIENTS = 500
const ORDERS_MS = isShort ? 1_000 : 12_000
const LOOK_MS = 20
/** Bets of one transaction of a settlement: these are settled when its clock begins. */
const FIRST = 5_000

/** The columns of a bet that is not settled. */
const ACCEPTED = `player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids, odds_milli, rules_version,
  stake, total, cash_after, accepted_at, nonce, could_pay, client_key, posting_id`

/** Those of deploy/house/postgresql.conf. */
const HOUSE = { shared_buffers: '2GB', max_wal_size: '8GB', wal_compression: 'on' }

const product = await startProduct(PLAYERS, { settings: HOUSE })
const generator = startGenerator()
const { owner } = product
try {
  const holders = await addPlayers(owner, HOLDERS, { micro: 0n })
  const alone = await makeRound(owner, { gameId: 1, bets: BETS, holders, state: 'drawn' })
  const settled = BETS / (await secondsToSettle(alone))
  const updated = BETS / (await secondsToUpdate(alone))

  const without = await orders()
  const beside = await makeRound(owner, { gameId: 2, bets: BETS, holders, state: 'drawn' })
  await firstBets(beside)
  const meanwhile = await orders()
  const left = await unsettled(beside)
  if (left === 0)
    console.warn('  The settlement ended before the orders did: set BENCH_BETS higher.')

  const figures = [
    { name: 'one plain UPDATE', value: updated, unit: 'bets/s' },
    { name: 'settled', value: settled, unit: 'bets/s' },
    { name: 'settled, beside one plain UPDATE', value: settled / updated, unit: '×', atLeast: 0.5 },
    { name: 'orders a second without', value: without.perSecond, unit: '/s' },
    { name: 'beside a settlement', value: meanwhile.perSecond, unit: '/s' },
    {
      name: 'orders meanwhile, beside without',
      unit: '×',
      atLeast: 0.8,
      value: meanwhile.perSecond / without.perSecond,
    },
  ]
  report('settle', figures, { bets: BETS, holders: HOLDERS })
} finally {
  await generator.stop()
  await product.stop()
}

async function unsettled({ gameId, issue }: MadeRound): Promise<number> {
  const [round] = await owner.query<{ left: number }>(
    `select (settled_at is null)::integer as left from rounds.round where game_id = $1 and issue = $2`,
    [gameId, issue],
  )
  return round?.left ?? 0
}

/** Ends when the first of a round's bets are settled: the engine has seen the round, and begins with these. */
async function firstBets({ gameId, issue, holders }: MadeRound): Promise<void> {
  for (;;) {
    const settled = await owner.query(
      `select from bets.bet where player_id = $3 and game_id = $1 and issue = $2 and status <> 'accepted' limit 1`,
      [gameId, issue, holders[0]],
    )
    if (settled.length > 0) return
    await sleep(LOOK_MS)
  }
}

/** How long a round takes, as though the clock had begun with its first bets. */
async function secondsToSettle(round: MadeRound): Promise<number> {
  await firstBets(round)
  const began = performance.now()
  while ((await unsettled(round)) > 0) await sleep(LOOK_MS)
  return ((performance.now() - began) / 1_000) * (BETS / (BETS - FIRST))
}

/** A plain UPDATE of the same rows as they were before their settlement, in a table with the same indexes. */
async function secondsToUpdate({ gameId, issue }: MadeRound): Promise<number> {
  await owner.query('create table bench_bet (like bets.bet including all) with (fillfactor = 50)')
  await owner.query(
    `insert into bench_bet (${ACCEPTED}) select ${ACCEPTED} from bets.bet where game_id = $1 and issue = $2`,
    [gameId, issue],
  )
  await owner.query('vacuum analyze bench_bet')
  await owner.query('checkpoint')
  const began = performance.now()
  await owner.query(
    `update bench_bet set status = case when rule_ids && games.winning_rules(27) then 'won' else 'lost' end,
       payout = case when rule_ids && games.winning_rules(27) then stake * odds_milli[1] / 1000 else 0 end,
       settled_at = now()`,
  )
  const seconds = (performance.now() - began) / 1_000
  await owner.query('drop table bench_bet')
  return seconds
}

async function orders(): Promise<LoadResult> {
  await owner.query('checkpoint')
  const requests = await ordersFor(product, ORDERS_MS + 5_000)
  const warmUpMs = isShort ? 300 : 1_000
  return generator.run(
    orderLoad(product, { clients: CLIENTS, requests, warmUpMs, forMs: ORDERS_MS }),
  )
}
