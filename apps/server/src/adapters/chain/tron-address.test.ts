import { hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hexOfTronAddress,
  isTronAddress,
  logAddressOfTronAddress,
  signTronMessage,
  topicOfTronAddress,
  tronAddressBytes,
  tronAddressOfHex,
  tronAddressOfPrivateKey,
  tronAddressOfPublicKey,
  tronAddressOfSignature,
  tronAddressOfTopic,
  USDT_MAINNET_CONTRACT,
} from './tron-address.ts'

const USDT_HEX = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'

describe('a TRON address', () => {
  test('of the USDT contract has the published hexadecimal form, both ways', () => {
    expect(hexOfTronAddress(USDT_MAINNET_CONTRACT)).toBe(USDT_HEX)
    expect(tronAddressOfHex(USDT_HEX)).toBe(USDT_MAINNET_CONTRACT)
    expect(tronAddressOfHex(USDT_HEX.slice(2))).toBe(USDT_MAINNET_CONTRACT)
    expect(tronAddressOfHex(`0x${USDT_HEX.toUpperCase()}`)).toBe(USDT_MAINNET_CONTRACT)
  })

  test('of the public key of private key 1 is the same from 33 and from 65 bytes', () => {
    const x = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
    const y = '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'
    // The 20 bytes of private key 1 are well known from Ethereum, which hashes the same way.
    const expected = tronAddressOfHex('7e5f4552091a69125d5dfcb7b8c2659029395bdf')
    expect(tronAddressOfPublicKey(hexToBytes(`02${x}`))).toBe(expected)
    expect(tronAddressOfPublicKey(hexToBytes(`04${x}${y}`))).toBe(expected)
  })

  test('converts to topic, log and hexadecimal form and back for any 20 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const hex = Buffer.from(bytes).toString('hex')
        const address = tronAddressOfHex(hex)
        expect(address).not.toBeNull()
        if (address === null) return
        expect(address).toMatch(/^T.{33}$/)
        expect(isTronAddress(address)).toBe(true)
        expect(logAddressOfTronAddress(address)).toBe(hex)
        expect(hexOfTronAddress(address)).toBe(`41${hex}`)
        expect(tronAddressOfTopic(topicOfTronAddress(address))).toBe(address)
      }),
    )
  })

  test('is not read from another text', () => {
    expect(tronAddressBytes(USDT_MAINNET_CONTRACT)).toEqual(hexToBytes(USDT_HEX))
    for (const text of [
      '',
      USDT_MAINNET_CONTRACT.slice(0, -1),
      ` ${USDT_MAINNET_CONTRACT}`,
      '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c',
      USDT_MAINNET_CONTRACT.replace('R', '0'),
      USDT_MAINNET_CONTRACT.replace('R', 'О'),
      // Its checksum does not match.
      USDT_MAINNET_CONTRACT.replace('TR7', 'TR8'),
      // An address of Bitcoin, whose checksum matches.
      '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    ]) {
      expect(tronAddressBytes(text), text).toBeNull()
    }
  })

  test('is not read from words that hold something else', () => {
    expect(tronAddressOfTopic('f'.repeat(64))).toBeNull()
    expect(tronAddressOfTopic('00')).toBeNull()
    expect(tronAddressOfTopic(`${'0'.repeat(22)}${USDT_HEX}`)).toBe(USDT_MAINNET_CONTRACT)
    expect(tronAddressOfHex('42a614f803b6fd780986a42c78ec9c7f77e6ded13c')).toBeNull()
    expect(tronAddressOfHex('zz')).toBeNull()
    expect(() => hexOfTronAddress('nobody')).toThrow('not a TRON address')
  })
})

describe('a signed statement', () => {
  const key = new Uint8Array(32).fill(7)
  const address = tronAddressOfPrivateKey(key)
  const text = 'I hold this for the players of play.example: 2026-11-20 ✓'
  const signature = signTronMessage(text, key)

  test('names the address whose key signed it, with or without 0x and in both forms of v', () => {
    expect(signature).toMatch(/^[0-9a-f]{128}(1b|1c)$/)
    const v = signature.endsWith('1b') ? '00' : '01'
    for (const form of [signature, `0x${signature.toUpperCase()}`, signature.slice(0, -2) + v]) {
      expect(tronAddressOfSignature(text, form)).toBe(address)
    }
  })

  test('does not name it for another text, and no address for what is no signature', () => {
    expect(tronAddressOfSignature(`${text} `, signature)).not.toBe(address)
    const flipped = signature.replace(/^./, (first) => (first === '0' ? '1' : '0'))
    expect(tronAddressOfSignature(text, flipped)).not.toBe(address)
    for (const none of ['', signature.slice(2), `${signature}00`, `${'0'.repeat(128)}1b`]) {
      expect(tronAddressOfSignature(text, none)).toBeNull()
    }
    expect(tronAddressOfSignature(text, `${signature.slice(0, -2)}1d`)).toBeNull()
    expect(tronAddressOfSignature(text, `${'f'.repeat(128)}1b`)).toBeNull()
  })
})
