/**
 * What makes references of banks and of payouts one and the same, however two people type them: forms
 * that are compatible are folded, blanks fall away, and letters are upper case. The database computes
 * the same and takes no other.
 *
 * @param reference printable ASCII, as the contract lets it through
 */
export function referenceKey(reference: string): string {
  return reference.normalize('NFKC').replaceAll(' ', '').toUpperCase()
}
