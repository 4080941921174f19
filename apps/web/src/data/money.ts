/** The player's balance as one fact, whichever reply or event brings it. */
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import type { Versioned } from '#src/data/live/later.ts'

/** The version is the number of the player's last posting. */
export type Money = Versioned & {
  readonly balance: Amount
  /** What is set aside, where it came with the balance. */
  readonly held?: Amount
}

type WireMoney = { readonly money: string; readonly held?: string; readonly version: string }

export function moneyFromWire({ money, held, version }: WireMoney): Money {
  return {
    balance: amountFromWire(money),
    ...(held !== undefined && { held: amountFromWire(held) }),
    version: BigInt(version),
  }
}
