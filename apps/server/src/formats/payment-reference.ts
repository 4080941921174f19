/**
 * The normal form of a bank's or payout's reference, however it is typed: compatibility characters are folded, blanks
 * removed, and letters upper case. The database computes the same form and accepts no other.
 *
 * @param reference printable ASCII, as the contract allows it
 */
export function referenceKey(reference: string): string {
  return reference.normalize('NFKC').replaceAll(' ', '').toUpperCase()
}
