/**
 * The normal form of a bank's or payout's reference, however it is typed: compatibility characters are folded, blanks
 * removed, and letters upper case. The database computes the same form and accepts no other.
 *
 * @param reference printable ASCII, as the contract allows it
 */
export function referenceKey(reference: string): string {
  return reference.normalize('NFKC').replaceAll(' ', '').toUpperCase()
}

/** The reference of a payout as it is stored: the id of a transaction has small letters, as the chain's nodes write it. */
export function payoutReference(reference: string): string {
  return /^[0-9a-f]{64}$/i.test(reference) ? reference.toLowerCase() : reference
}
