/** Places a bet: once, before the seal, at the present odds, and only with money that the player has. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import type { RuleId } from '@sum28/domain/outcomes.ts'
import type { Registry } from 'prom-client'
import { type Database, isDatabaseAway, mayBeCommitted, type Queryable } from '#src/db/database.ts'
import { type Refusal, type RefusalWord, refuse, refuseByWord } from '#src/refusal/refusal.ts'
import type { Bet } from './bet-store.ts'
import { batchOrders, type OrderMetrics, Overloaded, orderMetrics } from './order-batches.ts'

export type Order = {
  playerId: number
  gameId: number
  roomId: number
  issue: string
  ruleIds: readonly RuleId[]
  /** On each rule. */
  stake: Amount
  followId: number | null
  /** The version of the odds that the player was shown; without it the bet takes the present odds. */
  rulesVersion?: number | null
  idempotencyKey: string | null
}

export type Placed = { bet: Bet; replayed: boolean }

/** Places one bet. An order that made a bet before, with the same key, gets that bet again; a refused one is judged anew. */
export type PlaceBet = (order: Order) => Promise<Placed | Refusal>

/** Called with the accepted bets of each batch. */
export type OnAccepted = (bets: readonly Bet[]) => void

export type OrderRow = {
  /** The order's position in its batch, from 0. */
  ord: number
  player_id: number
  /** The client's idempotency key. Without one the order is known by its nonce. */
  key: string | null
  game_id: number
  issue: string
  room_id: number
  rule_ids: number[]
  /** On each rule, micro-units; as text, because JSON numbers are not exact at that size. */
  stake: string
  follow_id: number | null
  /** 16 bytes in hex. */
  nonce: string
  /** The version of the odds that the player was shown; null if the request does not say. */
  rules_version?: number | null
}

export type PlacedRow = {
  ord: number
  total: Amount
  acceptedAt: number
  username: string
  robot: boolean
} & (
  | {
      /** 'replay' if the same order made the bet before. */
      reason: null | 'replay'
      facts: null
      betId: bigint
      orderNo: string
      cashAfter: Amount
      postingId: bigint
    }
  | {
      reason: RefusalWord
      /** The amounts that explain the reason, in micro-units as text, by their wire names. */
      facts: Record<string, string> | null
      betId: null
      orderNo: null
      cashAfter: null
      postingId: null
    }
)

/** The function of the database by which bets are placed: of all players, or of robots alone. */
type By = 'bets.place' | 'bets.place_of_robots'

function sqlOf(by: By): string {
  return `select ord, reason, facts, bet_id as "betId", order_no as "orderNo", total,
    cash_after as "cashAfter", posting_id as "postingId", accepted_at as "acceptedAt", username, robot
    from ${by}($1::jsonb)`
}

/** Places a batch in one statement and one commit; at most one order of a player in a batch. */
export function placeOrders(
  db: Queryable,
  batch: readonly OrderRow[],
  by: By = 'bets.place',
): Promise<PlacedRow[]> {
  return db.query<PlacedRow>(sqlOf(by), [JSON.stringify(batch)], { prepared: true })
}

const NONCE_BYTES = 16
const NONCES_FETCHED = 256

/**
 * An order whose player's balance is held by another transaction, such as a settlement, is sent again in a later batch:
 * after each pause, for about so long. In milliseconds.
 */
const BUSY_MAX_MS = 2_000
const BUSY_PAUSE_MS = 50

/** What became of an order: a bet, or the reason why there is none. */
type Judged =
  | { reason: null | 'replay'; facts: null; bet: Bet }
  | (Pick<Extract<PlacedRow, { betId: null }>, 'reason' | 'facts'> & { bet: null })

/**
 * Makes the function that places bets, many in a batch.
 *
 * A batch without a known result, because the database gave no answer, is sent again through another connection before
 * the next one begins. Each bet has the key of its order, or else one of its nonce, so it is placed once.
 *
 * @throws an error of the database that is down ({@link isDatabaseAway}), if the second try got no answer in time
 * either: a client that sends the order again with its key gets the result
 */
export function betPlacer(deps: {
  db: Database
  by?: By
  onAccepted: OnAccepted
  metrics?: Registry
}): PlaceBet {
  const { db, by = 'bets.place', onAccepted } = deps
  const metrics: OrderMetrics | undefined =
    deps.metrics && orderMetrics(deps.metrics, () => batches.waiting)
  const batches = batchOrders<OrderRow, Judged>(
    (order) => order.player_id,
    async (batch) => {
      const orders = batch.map((order, ord) => ({ ...order, ord }))
      const { placed, tries } = await placeBatch(db, orders, by)
      const judged = placed.map((row, index) => judgedOf(orders[index] as OrderRow, row))
      const accepted = betsOf(judged, null)
      const replayed = betsOf(judged, 'replay')
      metrics?.count('accepted', accepted.length)
      metrics?.count('replayed', replayed.length)
      // A batch that got no answer has published no event for the bets that it made.
      onAccepted(tries === 2 ? [...accepted, ...replayed] : accepted)
      return judged
    },
    metrics?.watch,
  )

  /** The last answer to an order that is sent again while it is busy. */
  async function judgedWhenFree(row: OrderRow): Promise<Judged> {
    const until = performance.now() + BUSY_MAX_MS
    for (;;) {
      const judged = await batches.submit(row)
      if (judged.reason !== 'busy' || performance.now() >= until) return judged
      await sleep(BUSY_PAUSE_MS)
    }
  }

  function refused(refusal: Refusal): Refusal {
    metrics?.count('refused', 1, refusal.refused)
    return refusal
  }

  return async function placeBet(order) {
    try {
      const { reason, facts, bet } = await judgedWhenFree(rowOf(order))
      if (bet === null) return refused(refusalOf(reason, facts))
      return { bet, replayed: reason === 'replay' }
    } catch (error) {
      if (error instanceof Overloaded) {
        const busy = refuse('too_many_requests', { retry_after: 2 })
        return refused({ ...busy, wording: 'unavailable' })
      }
      metrics?.count('failed', 1)
      throw error
    }
  }
}

function betsOf(judged: readonly Judged[], wanted: null | 'replay'): Bet[] {
  return judged.flatMap(({ reason, bet }) => (reason === wanted && bet !== null ? bet : []))
}

/** Random bytes for nonces that were fetched together, and how many of them are used. */
const fetched = { bytes: Buffer.alloc(0), used: 0 }

/** 16 random bytes in hex. Many are fetched at a time, because each fetch is a system call. */
function newNonce(): string {
  if (fetched.used + NONCE_BYTES > fetched.bytes.length) {
    fetched.bytes = randomBytes(NONCE_BYTES * NONCES_FETCHED)
    fetched.used = 0
  }
  const from = fetched.used
  fetched.used += NONCE_BYTES
  return fetched.bytes.toString('hex', from, fetched.used)
}

function rowOf(order: Order): OrderRow {
  const nonce = newNonce()
  return {
    ord: 0,
    player_id: order.playerId,
    key: order.idempotencyKey,
    game_id: order.gameId,
    issue: order.issue,
    room_id: order.roomId,
    rule_ids: [...order.ruleIds],
    stake: String(order.stake),
    follow_id: order.followId,
    nonce,
    rules_version: order.rulesVersion ?? null,
  }
}

/** Places a batch, and once more through another connection if the database gave no answer. */
async function placeBatch(
  db: Database,
  orders: readonly OrderRow[],
  by: By,
): Promise<{ placed: PlacedRow[]; tries: 1 | 2 }> {
  try {
    return { placed: await placeOrders(db, orders, by), tries: 1 }
  } catch (error) {
    if (!isDatabaseAway(error)) throw error
    const again = db.queryAfresh<PlacedRow>(sqlOf(by), [JSON.stringify(orders)])
    const placed = await again.catch((second) => {
      // A second try that was not sent does not say that the first one made no bets.
      throw isDatabaseAway(second) && mayBeCommitted(error) ? error : second
    })
    return { placed, tries: 2 }
  }
}

function judgedOf(order: OrderRow, row: PlacedRow): Judged {
  const { reason, facts, betId, orderNo, cashAfter, postingId, total, acceptedAt } = row
  if (betId === null) return { reason, facts, bet: null }
  const bet: Bet = {
    id: betId,
    playerId: order.player_id,
    username: row.username,
    robot: row.robot,
    orderNo,
    gameId: order.game_id,
    issue: String(BigInt(order.issue)),
    roomId: order.room_id,
    ruleIds: order.rule_ids,
    stake: BigInt(order.stake),
    total,
    cashAfter,
    postingId,
    acceptedAt,
    status: 'accepted',
    payout: 0n,
  }
  return { reason, facts, bet }
}

/** Facts of a refusal that are words, and those that are seconds; all others are amounts in micro-units. */
const WORDS = new Set(['limit', 'period'])
const SECONDS = new Set(['begins_at', 'began_at', 'elapsed_s', 'until'])

function factOnWire(name: string, fact: string): string | number {
  if (SECONDS.has(name)) return Number(fact)
  return WORDS.has(name) ? fact : formatAmount(BigInt(fact))
}

function refusalOf(reason: RefusalWord, facts?: Record<string, string> | null): Refusal {
  if (!facts) return refuseByWord(reason)
  const details = Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, factOnWire(name, fact)]),
  )
  const refusal = refuseByWord(reason, details)
  // The greatest payout is a different maximum from the room's.
  return 'payout_left' in details ? { ...refusal, wording: 'above_payout' } : refusal
}
