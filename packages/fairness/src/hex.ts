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
