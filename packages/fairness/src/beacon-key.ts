import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { expand, extract } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

const GROUP_ORDER = bls12_381.fields.Fr.ORDER

// ⌈1.5 × bits of the group order / 8⌉ bytes, so that the reduction leaves a negligible bias.
const WIDE_BYTES = 48

/**
 * Derives a beacon's secret key from 32 secret bytes or more. Most random 32-byte values are not
 * scalars of the curve's group; this is KeyGen of draft-irtf-cfrg-bls-signature-05 §2.3 with empty
 * key_info.
 * @param secret at least 32 bytes of full entropy
 * @returns 32 bytes for signRound; the same for the same secret
 */
export function deriveBeaconKey(secret: Uint8Array): Uint8Array {
  if (secret.length < 32) throw new RangeError('a beacon key is derived from at least 32 bytes')
  const material = concatBytes(secret, Uint8Array.of(0))
  const info = Uint8Array.of(0, WIDE_BYTES)
  let salt = utf8ToBytes('BLS-SIG-KEYGEN-SALT-')
  for (;;) {
    salt = sha256(salt)
    const wide = expand(sha256, extract(sha256, material, salt), info, WIDE_BYTES)
    const scalar = bytesToNumberBE(wide) % GROUP_ORDER
    if (scalar !== 0n) return numberToBytesBE(scalar, 32)
  }
}
