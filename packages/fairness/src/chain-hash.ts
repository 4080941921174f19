import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { fromHex, toHex } from './hex.ts'

/**
 * The chain hash by which drand's HTTP API names a beacon: SHA-256 over the period (4 bytes,
 * highest first), the genesis time (8 bytes), the public key, the genesis seed and, unless it is
 * `default`, the beacon id. The scheme's name is not included. Source: `Info.Hash` in drand's
 * common/chain/info.go; a test compares it with quicknet.
 */
export function chainHashOf(chain: {
  /** Seconds. */
  period: number
  /** Unix seconds. */
  genesisTime: number
  /** 96 bytes in hex. */
  publicKey: string
  /** 32 bytes in hex; drand's JSON calls it groupHash. */
  genesisSeed: string
  beaconId: string
}): string {
  const head = new Uint8Array(12)
  const view = new DataView(head.buffer)
  view.setUint32(0, chain.period)
  view.setBigInt64(4, BigInt(chain.genesisTime))
  const id = chain.beaconId === 'default' ? '' : chain.beaconId
  return toHex(
    sha256(
      concatBytes(
        head,
        fromHex(chain.publicKey, 96),
        fromHex(chain.genesisSeed, 32),
        utf8ToBytes(id),
      ),
    ),
  )
}
