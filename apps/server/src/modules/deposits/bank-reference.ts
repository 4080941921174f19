/**
 * The reference that a player puts on his bank transfer. Staff read the player's id at its end. The product itself
 * reads no reference: `playerOfBankReference` is for tests.
 */

/**
 * A player's reference: a creditor reference of ISO 11649, `RF`, two check digits, then his id. It never changes.
 * Banks that know the standard check it before they send, and a wrong or swapped digit makes it invalid.
 */
export function bankReference(playerId: number): string {
  return `RF${String(98 - remainder(`${playerId}RF00`)).padStart(2, '0')}${playerId}`
}

/**
 * The player's id in a reference as the bank reports it: in any case, with blanks. Null if it is no such reference,
 * or mistyped.
 */
export function playerOfBankReference(text: string): number | null {
  const reference = text.replaceAll(/\s/gu, '').toUpperCase()
  if (!/^RF\d{2}[1-9]\d{0,9}$/u.test(reference)) return null
  const digits = reference.slice(4)
  const sound = remainder(digits + reference.slice(0, 4)) === 1
  return sound && Number(digits) <= 2_147_483_647 ? Number(digits) : null
}

/** ISO 7064, MOD 97-10: letters count as 10 to 35. */
function remainder(text: string): number {
  return Number(BigInt(text.replaceAll(/[A-Z]/gu, (one) => String(Number.parseInt(one, 36)))) % 97n)
}
