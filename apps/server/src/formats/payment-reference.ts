/** The reference of a payout as it is stored: the id of a transaction has small letters, as the chain's nodes write it. */
export function payoutReference(reference: string): string {
  return /^[0-9a-f]{64}$/i.test(reference) ? reference.toLowerCase() : reference
}
