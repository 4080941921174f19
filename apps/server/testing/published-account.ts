/** The account of a published mnemonic, whose deposit addresses are known. */
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { type AccountKey, openAccountKey } from '#src/adapters/chain/derive-deposit-address.ts'

/** The deposit addresses of the indexes 0 and 1. */
export const PUBLISHED_ADDRESSES = [
  'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK',
] as const

export function publishedKey(): AccountKey {
  const seed = mnemonicToSeedSync(`${'abandon '.repeat(11)}about`)
  const account = HDKey.fromMasterSeed(seed).derive("m/44'/195'/0'")
  const opened = openAccountKey(account.publicExtendedKey)
  if (!opened.ok) throw new Error(opened.message)
  return opened.key
}
