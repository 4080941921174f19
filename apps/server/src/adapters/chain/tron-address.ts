import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'

/** The USDT contract on TRON's main network, with six decimals: one micro-unit each. */
export const USDT_MAINNET_CONTRACT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

const ADDRESS_LENGTH = 34
const ADDRESS_BYTE = 0x41
const base58check = createBase58check(sha256)

/**
 * The 21 bytes of a TRON address in its usual form: base58check of 0x41 and 20 bytes, always 34 characters that begin
 * with T. The text is not trimmed; the caller does that. Null for anything else.
 */
export function tronAddressBytes(text: string): Uint8Array | null {
  if (text.length !== ADDRESS_LENGTH) return null
  try {
    const bytes = base58check.decode(text)
    return bytes.length === 21 && bytes[0] === ADDRESS_BYTE ? bytes : null
  } catch {
    return null
  }
}

/** Whether a text is a TRON address, checksum included. */
export function isTronAddress(text: string): boolean {
  return tronAddressBytes(text) !== null
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
  const bytes = tronAddressBytes(address)
  if (bytes === null) throw new Error('not a TRON address')
  return bytes
}

function encode(evmAddress: Uint8Array): string {
  return base58check.encode(concatBytes(Uint8Array.of(ADDRESS_BYTE), evmAddress))
}
