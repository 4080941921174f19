/** TRON addresses: base58check of the byte 0x41 and twenty others, four more of checksum. */

/** `form`: not 34 characters of base58 that begin with T. `checksum`: one of them is mistyped. */
export type WalletAddressFault = 'form' | 'checksum'

/** Digits, capital and small letters without 0, O, I and l. */
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BYTES = 25
const CHECKSUM_BYTES = 4
const ADDRESS_BYTE = 0x41

/**
 * The fault of a TRON address, or null. The hash function is loaded on first use; if that fails,
 * only the server checks the checksum.
 */
export async function walletAddressFault(address: string): Promise<WalletAddressFault | null> {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)) return 'form'
  const bytes = base58Bytes(address)
  const hash = await import('@noble/hashes/sha2.js').catch(() => null)
  if (!hash) return null
  const body = bytes.subarray(0, BYTES - CHECKSUM_BYTES)
  const right = hash.sha256(hash.sha256(body))
  const sound = bytes.subarray(-CHECKSUM_BYTES).every((byte, at) => byte === right[at])
  return sound && bytes[0] === ADDRESS_BYTE ? null : 'checksum'
}

/** The 25 bytes of 34 base58 characters; with a leading T they always fit. */
function base58Bytes(text: string): Uint8Array {
  let number = 0n
  for (const character of text) number = number * 58n + BigInt(BASE58.indexOf(character))
  const hex = number.toString(16).padStart(BYTES * 2, '0')
  return Uint8Array.from({ length: BYTES }, (_, at) =>
    Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16),
  )
}
