import { createHmac } from 'node:crypto'

/** The stored form of a network: a keyed hash, so that no address is stored. `network` is as `networkOf` names it. */
export function networkHash(key: Buffer, network: string): Buffer {
  return keyedHash(key, 'network', network)
}

/** A keyed hash of several words; the keys of counts are made in the same way. */
export function keyedHash(key: Buffer, ...words: string[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(words)).digest()
}
