/** A bet's receipt: what a player keeps to check the bet anywhere and at any time. */
import { type FullBetOnWire, fullBet } from '@sum28/contract/receipt.ts'

/** As the server gives it, and as it is saved. */
export type Receipt = FullBetOnWire

/** A receipt as it is saved: what the offline verifier reads. */
export function receiptText(receipt: Receipt): string {
  return `${JSON.stringify(receipt, null, 2)}\n`
}

export function receiptFileName({ orderNo }: Receipt): string {
  return `sum28-receipt-${orderNo}.json`
}

/** Reads a receipt back, from a file or from the clipboard; null where the text is none. */
export function readReceipt(text: string): Receipt | null {
  try {
    return receiptOf(JSON.parse(text))
  } catch {
    return null
  }
}

/** A receipt in what came from outside, such as the browser's history; null where there is none. */
export function receiptOf(value: unknown): Receipt | null {
  const parsed = fullBet.safeParse(value)
  return parsed.success ? parsed.data : null
}
