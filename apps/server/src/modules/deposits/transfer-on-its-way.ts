import type { Amount } from '@sum28/domain/money.ts'

/** A transfer that the chain shows and that is not credited yet. */
export type TransferOnItsWay = {
  txId: string
  logIndex: number
  amount: Amount
  /** The block's time; null where the node said none. */
  at: number | null
  /** Whether its block is solidified: it will be credited, and cannot be undone. */
  solid: boolean
}
