/** The reality check: after some time of play bets are refused until the player has seen his figures. */
import { Refusal } from '@sum28/contract/client.ts'
import { acknowledgeCheck } from '@sum28/contract/protection-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { call } from '#src/data/client.ts'

/** The figures of the present session that the player is shown. */
export type RealityCheck = {
  readonly minutes: number
  readonly staked: Amount
  readonly won: Amount
  /** Payouts minus stakes. */
  readonly net: Amount
}

/** The check for which an order was refused, or null. */
export function realityCheckOf(error: unknown): RealityCheck | null {
  if (!(error instanceof Refusal) || error.data.reason !== 'reality_check_due') return null
  const { elapsed_s: elapsed, staked, won, net } = error.data
  return {
    minutes: Math.floor(Number(elapsed) / 60),
    staked: amountFromWire(String(staked)),
    won: amountFromWire(String(won)),
    net: amountFromWire(String(net)),
  }
}

/** Acknowledges it, for all devices of the player. Rejects as `call` does. */
export async function acknowledgeRealityCheck(): Promise<void> {
  await call(acknowledgeCheck, {})
}
