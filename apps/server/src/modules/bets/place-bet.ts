/** Placing a bet: once, before the seal, at the odds of the moment, and only from money there is. */
import { createHash, randomBytes } from 'node:crypto'
import type { Reason } from '@sum28/contract/envelope.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import type { RuleId } from '@sum28/domain/outcomes.ts'
import type { Database } from '#src/db/database.ts'
import type { Catalog } from '#src/modules/games/catalog.ts'
import { useOfKey } from '#src/modules/wallet/wallet-store.ts'
import { type Refusal, refuse } from '#src/refusal.ts'
import { type Bet, betsByIds, type OrderRow, placeOrders } from './bet-store.ts'
import { batchOrders, Overloaded } from './order-batches.ts'

export type Order = {
  playerId: number
  gameId: number
  roomId: number
  issue: string
  ruleIds: readonly RuleId[]
  /** On each rule. */
  stake: Amount
  followId: number | null
  idempotencyKey: string | null
}

export type Placed = { bet: Bet; replayed: boolean }

/** Places one bet; a repeated key gives the first reply again. */
export type PlaceBet = (order: Order) => Promise<Placed | (Refusal & { replayed?: boolean })>

/** Hears of bets that were accepted, batch by batch. */
export type OnAccepted = (bets: readonly Bet[]) => void

type Committed = { reason: string | null; bet: Bet | null }

export function betPlacer(deps: {
  db: Database
  catalog: () => Promise<Catalog>
  onAccepted: OnAccepted
}): PlaceBet {
  const { db, catalog, onAccepted } = deps

  const batches = batchOrders<OrderRow, Committed>(
    (order) => order.player_id,
    async (batch) => {
      const rows = batch.map((order, ord) => ({ ...order, ord }))
      const placed = await placeOrders(db, rows)
      const bets = await betsByIds(
        db,
        placed.flatMap(({ betId, reason }) => (betId !== null && reason === null ? [betId] : [])),
      )
      onAccepted([...bets.values()])
      return placed.map(({ reason, betId }) => ({
        reason,
        bet: betId === null ? null : (bets.get(betId) ?? null),
      }))
    },
  )

  async function refusalOf(reason: string, roomId: number): Promise<Refusal> {
    // The statement's word for it; on the wire what does not exist is 404 in every call.
    if (reason === 'room_unknown') return refuse('not_found')
    const room = (await catalog()).rooms.find(({ id }) => id === roomId)
    if (reason === 'below_minimum' && room)
      return refuse(reason, { minimum: formatAmount(room.stakeMin) })
    if (reason === 'above_maximum' && room)
      return refuse(reason, { maximum: formatAmount(room.stakeMax) })
    return refuse(reason as Reason)
  }

  /** What the first request with this key came to, if it asked for the same. */
  async function replay(order: Order, key: string, inputHash: string) {
    const use = await useOfKey(db, { playerId: order.playerId, key })
    if (use?.route !== 'playOrder' || use.inputHash !== inputHash) {
      return refuse('idempotency_conflict')
    }
    const { bet_id: betId, reason } = use.result as { bet_id?: number; reason?: string }
    if (reason) return { ...(await refusalOf(reason, order.roomId)), replayed: true }
    const id = BigInt(betId ?? 0)
    const bet = (await betsByIds(db, [id])).get(id)
    if (!bet) throw new Error(`the bet ${id} of a used key is gone`)
    return { bet, replayed: true }
  }

  return async function placeBet(order) {
    const inputHash = hashOf(order)
    const row: OrderRow = {
      ord: 0,
      player_id: order.playerId,
      key: order.idempotencyKey,
      input_hash: order.idempotencyKey === null ? null : inputHash,
      game_id: order.gameId,
      issue: order.issue,
      room_id: order.roomId,
      rule_ids: [...order.ruleIds],
      stake: String(order.stake),
      follow_id: order.followId,
      nonce: randomBytes(16).toString('hex'),
    }
    let committed: Committed
    try {
      committed = await batches.submit(row)
    } catch (error) {
      if (error instanceof Overloaded) return refuse('too_many_requests', { retry_after: 2 })
      throw error
    }
    const { reason, bet } = committed
    if (reason === 'replay' && order.idempotencyKey !== null) {
      return replay(order, order.idempotencyKey, inputHash)
    }
    if (reason !== null) return refusalOf(reason, order.roomId)
    if (!bet) throw new Error('a bet was accepted and cannot be read')
    return { bet, replayed: false }
  }
}

function hashOf({ gameId, roomId, issue, ruleIds, stake, followId }: Order): string {
  return createHash('sha256')
    .update(JSON.stringify(['playOrder', gameId, roomId, issue, ruleIds, String(stake), followId]))
    .digest('hex')
}
