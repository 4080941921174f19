import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'

/** The USDT contract on TRON's main network, with six decimals: one micro-unit each. */
export const USDT_MAINNET_CONTRACT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

export type TronAddressFault = 'length' | 'characters' | 'checksum' | 'prefix'

export type TronAddressReading =
  | { ok: true; address: string; bytes: Uint8Array }
  | { ok: false; fault: TronAddressFault; message: string }

const ADDRESS_LENGTH = 34
const ADDRESS_BYTE = 0x41
const base58check = createBase58check(sha256)

/**
 * Reads a TRON address in its usual form: base58check of 0x41 and 20 bytes, always 34 characters
 * that begin with T. The text is not trimmed; the caller does that. Returns what is wrong as a fault and a sentence.
 */
export function readTronAddress(text: string): TronAddressReading {
  if (text.length !== ADDRESS_LENGTH) {
    return fault('length', `a TRON address has ${ADDRESS_LENGTH} characters, not ${text.length}`)
  }
  const stranger = /[^1-9A-HJ-NP-Za-km-z]/u.exec(text)
  if (stranger) {
    return fault('characters', `"${stranger[0]}" is never part of a TRON address`)
  }
  if (!text.startsWith('T')) return fault('prefix', 'a TRON address begins with T')
  let bytes: Uint8Array
  try {
    bytes = base58check.decode(text)
  } catch {
    return fault('checksum', 'the checksum does not match: a character is mistyped')
  }
  if (bytes.length !== 21) return fault('length', 'a TRON address stands for 21 bytes')
  if (bytes[0] !== ADDRESS_BYTE) return fault('prefix', 'a TRON address begins with byte 0x41')
  return { ok: true, address: text, bytes }
}

/** Whether a text is a TRON address, checksum included. */
export function isTronAddress(text: string): boolean {
  return readTronAddress(text).ok
}

/** The address that a secp256k1 public key (33 or 65 bytes) controls. Throws for other bytes. */
export function tronAddressOfPublicKey(publicKey: Uint8Array): string {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  return encode(keccak_256(point.subarray(1)).subarray(-20))
}

/**
 * The address whose key has signed a message, as wallets sign messages (TIP-191, `signMessageV2`): 65 bytes in
 * hexadecimal, with or without `0x`. Null if the text is no signature.
 */
export function tronAddressOfSignature(message: string, signature: string): string | null {
  const [, compact, v] = /^(?:0x)?([0-9a-f]{128})(00|01|1b|1c)$/iu.exec(signature) ?? []
  if (!compact || !v) return null
  try {
    const recovery = Number.parseInt(v, 16) % 27
    const signed = concatBytes(Uint8Array.of(recovery), hexToBytes(compact))
    const key = secp256k1.recoverPublicKey(signed, messageHash(message), { prehash: false })
    return tronAddressOfPublicKey(key)
  } catch {
    return null
  }
}

/** Signs a message as a wallet does. @param key 32 bytes. @returns 65 bytes in hexadecimal */
export function signTronMessage(message: string, key: Uint8Array): string {
  const options = { prehash: false, format: 'recovered' } as const
  const signed = secp256k1.sign(messageHash(message), key, options)
  return bytesToHex(concatBytes(signed.subarray(1), Uint8Array.of((signed[0] ?? 0) + 27)))
}

export function tronAddressOfPrivateKey(key: Uint8Array): string {
  return tronAddressOfPublicKey(secp256k1.getPublicKey(key))
}

function messageHash(message: string): Uint8Array {
  const bytes = utf8ToBytes(message)
  return keccak_256(concatBytes(utf8ToBytes(`\x19TRON Signed Message:\n${bytes.length}`), bytes))
}

/**
 * The address written in hexadecimal, in any of the forms that nodes use: `41…` (21 bytes), the
 * 20 bytes alone, or either with `0x` before it. Null for anything else.
 */
export function tronAddressOfHex(hex: string): string | null {
  const match = /^(?:0x)?(?:41)?([0-9a-f]{40})$/iu.exec(hex)
  return match?.[1] ? encode(hexToBytes(match[1])) : null
}

/**
 * The address in a 32-byte word of the virtual machine, as logs carry it in topics (64 hexadecimal
 * digits). The twelve bytes before the address are zero; old contracts may have 0x41 in the last
 * of them. Null for anything else.
 */
export function tronAddressOfTopic(topic: string): string | null {
  const match = /^(?:0x)?0{22}(?:00|41)([0-9a-f]{40})$/iu.exec(topic)
  return match?.[1] ? encode(hexToBytes(match[1])) : null
}

/** An address in the `41…` form. Asserts that it is an address. */
export function hexOfTronAddress(address: string): string {
  return bytesToHex(bytesOf(address))
}

/** An address as the 20 bytes (40 hexadecimal digits) that logs carry. Asserts an address. */
export function logAddressOfTronAddress(address: string): string {
  return bytesToHex(bytesOf(address).subarray(1))
}

/** An address as a topic of a log (64 hexadecimal digits). Asserts that it is an address. */
export function topicOfTronAddress(address: string): string {
  return logAddressOfTronAddress(address).padStart(64, '0')
}

function bytesOf(address: string): Uint8Array {
  const reading = readTronAddress(address)
  if (!reading.ok) throw new Error(`not a TRON address: ${reading.message}`)
  return reading.bytes
}

function encode(evmAddress: Uint8Array): string {
  return base58check.encode(concatBytes(Uint8Array.of(ADDRESS_BYTE), evmAddress))
}

function fault(kind: TronAddressFault, message: string): TronAddressReading {
  return { ok: false, fault: kind, message }
}
