/**
 * The reference that a player puts on his bank transfer: a creditor reference of ISO 11649, `RF`, two check digits,
 * then his id, which staff read. It never changes.
 * Banks that know the standard check it before they send, and a wrong or swapped digit makes it invalid.
 */
export function bankReference(playerId: number): string {
  return `RF${String(98 - remainder(`${playerId}RF00`)).padStart(2, '0')}${playerId}`
}

/** ISO 7064, MOD 97-10: letters count as 10 to 35. */
function remainder(text: string): number {
  return Number(BigInt(text.replaceAll(/[A-Z]/gu, (one) => String(Number.parseInt(one, 36)))) % 97n)
}
