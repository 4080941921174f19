import { bytesToHex } from '@noble/hashes/utils.js'
import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import { StartError } from '#src/process/start-error.ts'
import { tronAddressOfPublicKey } from './tron-address.ts'

/** The receiving branch of an account (m/44'/195'/n'/0), public part only. */
export type AccountKey = { readonly receiving: HDKey }

const ACCOUNT_DEPTH = 3
const IS_PRIVATE = 'this is an extended private key; give the public one (xpub…)'

/**
 * Opens an account-level extended public key (`xpub…`, exported at m/44'/195'/0' by a TRON
 * wallet; BIP-32, BIP-44, coin type 195 of SLIP-44). A private key is rejected without being parsed, and no message
 * repeats the text, because it may be a secret pasted by mistake.
 *
 * @throws StartError if TRON_XPUB is not an account's extended public key
 */
export function openAccountKey(xpub: string): AccountKey {
  if (/^[a-z]prv/iu.test(xpub)) throw unusable(IS_PRIVATE)
  let account: HDKey
  try {
    account = HDKey.fromExtendedKey(xpub)
  } catch {
    throw unusable('this is not an extended public key (xpub…) with a right checksum')
  }
  if (account.privateKey !== null) throw unusable(IS_PRIVATE)
  if (account.depth !== ACCOUNT_DEPTH || account.index < HARDENED_OFFSET) {
    throw unusable(
      `this extended key is of level ${account.depth}; give the account's, exported at m/44'/195'/0' (level ${ACCOUNT_DEPTH})`,
    )
  }
  return { receiving: account.deriveChild(0) }
}

function unusable(why: string): StartError {
  return new StartError(`TRON_XPUB cannot be used: ${why}`)
}

/**
 * The deposit address of an index, 0 to 2³¹ − 1: path /0/index below the account. The same index always gives the
 * same address. Asserts the range.
 */
export function deriveDepositAddress(key: AccountKey, index: number): string {
  if (!Number.isInteger(index) || index < 0 || index >= HARDENED_OFFSET) {
    throw new RangeError(`an address index is 0 to ${HARDENED_OFFSET - 1}, not ${index}`)
  }
  const { publicKey } = key.receiving.deriveChild(index)
  if (publicKey === null) throw new Error('a derived key has no public part')
  return tronAddressOfPublicKey(publicKey)
}

/**
 * Identifies the account, so that its addresses can be distinguished from another account's: the BIP-32 identifier of
 * its receiving branch, 40 hexadecimal digits. It reveals no key.
 */
export function accountName({ receiving }: AccountKey): string {
  if (!receiving.identifier) throw new Error('a derived key has no identifier')
  return bytesToHex(receiving.identifier)
}
