import { createHmac } from 'node:crypto'

/** A network as it is kept: as a keyed hash, so that no address is kept. `network` is as `networkOf` names it. */
export function networkHash(key: Buffer, network: string): Buffer {
  return keyedHash(key, 'network', network)
}

/** A keyed hash of some words, as the counts' keys are made of them. */
export function keyedHash(key: Buffer, ...words: string[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(words)).digest()
}
