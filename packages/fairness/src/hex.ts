import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

/** Lower-case hex, two characters a byte: the only form in which bytes are published. */
export function toHex(bytes: Uint8Array): string {
  return bytesToHex(bytes)
}

/** Whether `value` is exactly `byteLength` bytes in lower-case hex. Accepts any type: receipts are pasted in. */
export function isHex(value: unknown, byteLength: number): value is string {
  return typeof value === 'string' && value.length === byteLength * 2 && /^[0-9a-f]*$/.test(value)
}

/**
 * The bytes of a published value.
 * @throws RangeError when `hex` is not exactly `byteLength` bytes in lower-case hex
 */
export function fromHex(hex: string, byteLength: number): Uint8Array {
  if (!isHex(hex, byteLength)) {
    throw new RangeError(`expected ${byteLength} bytes in lower-case hex`)
  }
  return hexToBytes(hex)
}

/** The standard base64 of RFC 4648 §4, in which the public log writes its hashes and signatures. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** The bytes of a text; null unless it is their one base64, padded and without blanks. */
export function fromBase64(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  // Another last character could stand for the same bytes.
  return toBase64(bytes) === text ? bytes : null
}
