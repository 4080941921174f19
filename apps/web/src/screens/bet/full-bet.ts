/** One bet of the player in full, with its receipt. */
import { orderInfo } from '@sum28/contract/user-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { type Bet, betFromWire } from '#src/data/bet.ts'
import { call } from '#src/data/client.ts'
import { nullIfNotFound } from '#src/data/fairness.ts'
import type { Receipt } from '#src/data/receipt.ts'

export type Selection = {
  readonly outcome: string
  /** Decimal, principal included. */
  readonly odds: string
  readonly stake: Amount
  readonly payout: Amount
  /** Null until the bet is settled, and where it was refunded. */
  readonly hit: boolean | null
}

export type FullBet = Bet & {
  readonly gameId: number
  readonly roomId: number
  /** 0 basic, 1 senior, 2 master, 3 expert. */
  readonly roomType: number
  readonly rulesVersion: number
  readonly selections: readonly Selection[]
  readonly payout: Amount
  /** The balance before the stake was taken, and after. */
  readonly balanceBefore: Amount
  readonly balanceAfter: Amount
  /** Milliseconds since 1970; null while pending. */
  readonly settledAt: number | null
  readonly receipt: Receipt
}

/** One bet by its order number, or null if the player has no such bet. */
export function fullBetQuery(orderNo: string) {
  return queryOptions<FullBet | null>({
    queryKey: ['bet', orderNo],
    queryFn: async ({ signal }) => {
      const receipt = await call(orderInfo, { orderNo }, { signal }).catch(nullIfNotFound)
      return receipt && fullBetFromWire(receipt)
    },
  })
}

function fullBetFromWire(receipt: Receipt): FullBet {
  return {
    ...betFromWire(receipt),
    gameId: receipt.game_id,
    roomId: receipt.plan_id,
    roomType: receipt.plan_type,
    rulesVersion: receipt.rules_version,
    selections: receipt.selections.map(({ class_name, odds, stake, payout, hit }) => ({
      outcome: class_name,
      odds,
      stake: amountFromWire(stake),
      payout: amountFromWire(payout),
      hit,
    })),
    payout: amountFromWire(receipt.payout),
    balanceBefore: amountFromWire(receipt.before),
    balanceAfter: amountFromWire(receipt.after),
    settledAt: receipt.settled_at === null ? null : receipt.settled_at * 1_000,
    receipt,
  }
}
