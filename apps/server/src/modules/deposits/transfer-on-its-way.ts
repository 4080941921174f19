import type { Amount } from '@sum28/domain/money.ts'

/** A transfer that is on the chain and not credited yet. */
export type TransferOnItsWay = {
  txId: string
  logIndex: number
  amount: Amount
  /** The block's time; null if the node did not say. */
  at: number | null
  /** Whether its block is solidified: then it will be credited, and cannot be undone. */
  solid: boolean
}
