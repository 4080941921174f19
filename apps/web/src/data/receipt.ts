import { type SavedReceipt, savedReceipt } from '@sum28/contract/receipt.ts'

/** As the server sends it, but for the balance. */
export type Receipt = SavedReceipt

/** A receipt as it is saved: what the offline verifier reads. */
export function receiptText(receipt: Receipt): string {
  return `${JSON.stringify(receipt, null, 2)}\n`
}

export function receiptFileName({ orderNo }: Receipt): string {
  return `sum28-receipt-${orderNo}.json`
}

/** Reads a receipt from text, or null if it is none. */
export function readReceipt(text: string): Receipt | null {
  try {
    return receiptOf(JSON.parse(text))
  } catch {
    return null
  }
}

/** A receipt from unknown data, such as the browser's history state, or null. */
export function receiptOf(value: unknown): Receipt | null {
  const parsed = savedReceipt.safeParse(value)
  return parsed.success ? parsed.data : null
}
