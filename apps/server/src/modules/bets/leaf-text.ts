import type { Amount } from '@sum28/domain/money.ts'
import { bookLeaf } from '@sum28/fairness/book-tree.ts'
import { playType } from './bet-wire.ts'

/** A bet's text in the closed book; `bets.leaf_hash` hashes the same text. */
export function leafText(bet: {
  orderNo: string
  roomId: number
  ruleIds: readonly number[]
  stake: Amount
  /** 16 bytes in hex. */
  nonce: string
}): string {
  const { orderNo, roomId, ruleIds, stake, nonce } = bet
  return bookLeaf({ orderNo, planId: roomId, playType: playType(ruleIds), stake, nonce })
}
