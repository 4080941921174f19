/** Places a bet: once, before the seal, at the present odds, and only with money that the player has. */
import { randomBytes } from 'node:crypto'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import type { RuleId } from '@sum28/domain/outcomes.ts'
import type { Registry } from 'prom-client'
import { withDeadline } from '#src/concurrency/concurrency.ts'
import { type Database, isDatabaseAway } from '#src/db/database.ts'
import { type Refusal, type RefusalWord, refuse, refuseByWord } from '#src/refusal/refusal.ts'
import {
  type Bet,
  type OrderRow,
  type PlacedRow,
  placeOrders,
  placeOrdersAfresh,
} from './bet-store.ts'
import {
  batchOrders,
  type OrderMetrics,
  Overloaded,
  orderMetrics,
  WAIT_MAX_MS,
} from './order-batches.ts'

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

const NONCE_BYTES = 16
const NONCES_FETCHED = 256

/** What became of an order: a bet, or the reason why there is none. */
type Committed =
  | { reason: null | 'replay'; facts: null; bet: Bet }
  | (Pick<Extract<PlacedRow, { betId: null }>, 'reason' | 'facts'> & { bet: null })

/**
 * Makes the function that places bets, many in a batch.
 *
 * An order without a known result, because the database gave no answer, is sent again through another connection.
 * Each bet has the key of its order, or else one of its nonce, so it is placed once, whatever the first try did.
 *
 * @throws an error of the database that is down ({@link isDatabaseAway}), if the second try got no answer in time
 * either: a client that sends the order again with its key gets the result
 */
export function betPlacer(deps: {
  db: Database
  onAccepted: OnAccepted
  metrics?: Registry
  /** How long an order is worked on, in milliseconds; by default as long as any call. */
  answerWithinMs?: number | undefined
}): PlaceBet {
  const { db, onAccepted } = deps
  const metrics: OrderMetrics | undefined =
    deps.metrics && orderMetrics(deps.metrics, () => batches.waiting + secondTries.waiting)

  function batchesBy(place: (batch: OrderRow[]) => Promise<PlacedRow[]>, waitMaxMs?: number) {
    return batchOrders<OrderRow, Committed>(
      (order) => order.player_id,
      async (batch) => {
        const placed = await place(batch.map((order, ord) => ({ ...order, ord })))
        const committed = placed.map((row, index) => committedOf(batch[index] as OrderRow, row))
        onAccepted(committed.flatMap(({ reason, bet }) => (reason === null ? bet : [])))
        return committed
      },
      { watch: metrics?.watch, waitMaxMs },
    )
  }
  const batches = batchesBy((batch) => placeOrders(db, batch), WAIT_MAX_MS)
  // None is refused for a long wait: its first try may have placed the bet, and a refusal would be false.
  const secondTries = batchesBy((batch) => placeOrdersAfresh(db, batch))

  async function place(order: OrderRow): Promise<Committed & { tries: 1 | 2 }> {
    try {
      return { ...(await batches.submit(order)), tries: 1 }
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
    }
    return { ...(await secondTries.submit(order)), tries: 2 }
  }

  async function answer(order: OrderRow): ReturnType<PlaceBet> {
    const { reason, facts, bet, tries } = await place(order)
    if (bet === null) return refusalOf(reason, facts)
    // The batch that got no answer has published no event for this bet.
    if (reason === 'replay' && tries === 2) onAccepted([bet])
    return { bet, replayed: reason === 'replay' }
  }

  async function placeBet(order: Order): ReturnType<PlaceBet> {
    try {
      return await withDeadline(answer(rowOf(order)), { withinMs: deps.answerWithinMs })
    } catch (error) {
      if (error instanceof Overloaded) return refuse('too_many_requests', { retry_after: 2 })
      throw error
    }
  }
  return metrics ? metrics.counted(placeBet) : placeBet
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

function committedOf(order: OrderRow, row: PlacedRow): Committed {
  const { reason, facts, betId, orderNo, cashAfter, total, acceptedAt, username, robot } = row
  if (betId === null) return { reason, facts, bet: null }
  const bet: Bet = {
    id: betId,
    playerId: order.player_id,
    username,
    robot,
    orderNo,
    gameId: order.game_id,
    issue: String(BigInt(order.issue)),
    roomId: order.room_id,
    ruleIds: order.rule_ids,
    stake: BigInt(order.stake),
    total,
    cashAfter,
    acceptedAt,
    status: 'accepted',
    payout: 0n,
  }
  return { reason, facts, bet }
}

/** Facts of a refusal that are texts, and times in seconds; all others are amounts in micro-units. */
const NO_AMOUNTS = new Set(['limit', 'period', 'begins_at', 'began_at', 'elapsed_s', 'until'])

function refusalOf(reason: RefusalWord, facts?: Record<string, string> | null): Refusal {
  if (!facts) return refuseByWord(reason)
  const details = Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      NO_AMOUNTS.has(name) ? fact : formatAmount(BigInt(fact)),
    ]),
  )
  const refusal = refuseByWord(reason, details)
  // The greatest payout is a different maximum from the room's.
  return 'payout_left' in details ? { ...refusal, wording: 'above_payout' } : refusal
}
