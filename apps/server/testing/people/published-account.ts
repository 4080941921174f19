/**
 * The account of BIP 39's published mnemonic 'abandon abandon … about', whose deposit addresses are known.
 */
import { pbkdf2Sync } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { type AccountKey, openAccountKey } from '#src/adapters/chain/derive-deposit-address.ts'

/** The deposit addresses of the indexes 0 and 1. */
export const PUBLISHED_ADDRESSES = [
  'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK',
] as const

/** Its root, by BIP 39 from the mnemonic without a passphrase. */
export function publishedRoot(): HDKey {
  const mnemonic = `${'abandon '.repeat(11)}about`
  return HDKey.fromMasterSeed(pbkdf2Sync(mnemonic, 'mnemonic', 2_048, 64, 'sha512'))
}

export function publishedKey(): AccountKey {
  const account = publishedRoot().derive("m/44'/195'/0'")
  const opened = openAccountKey(account.publicExtendedKey)
  if (!opened.ok) throw new Error(opened.message)
  return opened.key
}
