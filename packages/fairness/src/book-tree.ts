import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { fromHex, isHex, toHex } from './hex.ts'

/** The accepted bets of a round as a Merkle tree (RFC 6962 §2.1), in the order of acceptance. */
export interface BookTree {
  /** 32 bytes in hex, published at the seal. */
  readonly root: string
  /** Number of bets. */
  readonly size: number
  /** Hashes from the leaves (first) to the root (last). */
  readonly levels: readonly (readonly Uint8Array[])[]
}

/** The data that proves that a bet is in the book. */
export interface BookClaim {
  readonly leaf: string
  /** Place in the order of acceptance, from 0. */
  readonly leafIndex: number
  /** Number of bets in the book. */
  readonly size: number
  /** Sibling hashes in hex, from the leaf upwards. */
  readonly path: readonly string[]
}

const HASH_BYTES = 32

/** A bet as its line of the book states it. */
export interface BookedBet {
  readonly orderNo: string
  readonly planId: number
  /** Rule ids as in the reply to the player: `[1,400]`. */
  readonly playType: string
  /** Odds in thousandths, in the order of the rule ids. */
  readonly oddsMilli: readonly number[]
  /** The version of the room's rules and odds by which it was accepted. */
  readonly rulesVersion: number
  /** Stake on each selection in micro-units. */
  readonly stake: bigint
  /** 16 random bytes in hex, known to the player alone. */
  readonly nonce: string
}

const PLAY_TYPE = /^\[[0-9]+(,[0-9]+)*\]$/

/**
 * The text of a bet in the book, in version 2: `2|order number|plan id|rule ids|odds|rules version|stake|nonce`.
 * @throws RangeError when a field is not in its published form, or contains the separator
 */
export function bookLeaf(bet: BookedBet): string {
  if (!/^[0-9A-Za-z_-]+$/.test(bet.orderNo))
    throw new RangeError('order number with odd characters')
  if (!Number.isSafeInteger(bet.planId)) throw new RangeError('plan id is not a whole number')
  if (!PLAY_TYPE.test(bet.playType)) {
    throw new RangeError('play type is not a compact JSON array of rule ids')
  }
  const selections = bet.playType.split(',').length
  if (bet.oddsMilli.length !== selections || !bet.oddsMilli.every(isAboveZero)) {
    throw new RangeError('odds are not whole thousandths, one for each rule id')
  }
  if (!isAboveZero(bet.rulesVersion)) throw new RangeError('rules version is not above zero')
  if (bet.stake <= 0n) throw new RangeError('a stake is above zero')
  if (!isHex(bet.nonce, 16)) throw new RangeError('nonce is not 16 bytes of hex')
  const { orderNo, planId, playType, oddsMilli, rulesVersion, stake, nonce } = bet
  return `2|${orderNo}|${planId}|${playType}|${oddsMilli}|${rulesVersion}|${stake}|${nonce}`
}

function isAboveZero(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}

/** What a leaf states, as its text has it. */
export interface LeafFields {
  readonly orderNo: string
  readonly planId: string
  readonly playType: string
  /** In thousandths, in the order of the rule ids; null in version 1, which has no odds. */
  readonly odds: readonly string[] | null
  readonly rulesVersion: string | null
  readonly stake: string
  readonly nonce: string
}

const LEAF =
  /^(?<version>2\|)?(?<orderNo>[0-9A-Za-z_-]+)\|(?<planId>[0-9]{1,15})\|(?<playType>\[[0-9]+(?:,[0-9]+)*\])\|(?:(?<odds>[0-9]{1,15}(?:,[0-9]{1,15})*)\|(?<rulesVersion>[0-9]{1,15})\|)?(?<stake>[0-9]{1,30})\|(?<nonce>[0-9a-f]{32})$/

/** Reads a leaf of version 2, or of version 1: `order number|plan id|rule ids|stake|nonce`. Null if it is neither. */
export function readBookLeaf(text: string): LeafFields | null {
  const { version, orderNo, planId, playType, odds, rulesVersion, stake, nonce } =
    LEAF.exec(text)?.groups ?? {}
  if (!orderNo || !planId || !playType || !stake || !nonce) return null
  const bet = { orderNo, planId, playType, stake, nonce }
  if (!odds || !rulesVersion) return version ? null : { ...bet, odds: null, rulesVersion: null }
  const each = odds.split(',')
  if (!version || each.length !== playType.split(',').length) return null
  return { ...bet, odds: each, rulesVersion }
}

/** Builds the book from leaf texts: about two hashes a bet, and one for a book without bets. */
export function buildBook(leaves: readonly string[]): BookTree {
  return bookOfHashes(leaves.map(hashLeaf))
}

/** Builds the book, or one subtree of it, from the hashes of its leaves. */
export function bookOfHashes(leafHashes: readonly Uint8Array[]): BookTree {
  const levels: Uint8Array[][] = [[...leafHashes]]
  let level = levels[0] ?? []
  while (level.length > 1) {
    level = levelAbove(level)
    levels.push(level)
  }
  // RFC 6962: the root of an empty tree is the hash of the empty string.
  const root = level[0] ?? sha256(new Uint8Array(0))
  return { root: toHex(root), size: leafHashes.length, levels }
}

/**
 * The inclusion path of a bet: the siblings from the leaf upwards, in hex.
 * @param leafIndex from 0 to size − 1
 */
export function bookPath(book: BookTree, leafIndex: number): string[] {
  if (!Number.isSafeInteger(leafIndex) || leafIndex < 0 || leafIndex >= book.size) {
    throw new RangeError(`no bet ${leafIndex} in a book of ${book.size}`)
  }
  const path: string[] = []
  let position = leafIndex
  for (const level of book.levels) {
    const sibling = level[position % 2 === 0 ? position + 1 : position - 1]
    if (sibling !== undefined) path.push(toHex(sibling))
    position = Math.floor(position / 2)
  }
  return path
}

/**
 * Computes the root from a claim, in hex.
 * @returns null when the claim fits no tree: place outside the book, path too long or too short
 */
export function rootOfClaim(claim: BookClaim): string | null {
  const { leafIndex, size, path } = claim
  if (!Number.isSafeInteger(leafIndex) || !Number.isSafeInteger(size)) return null
  if (leafIndex < 0 || leafIndex >= size) return null
  let hash = hashLeaf(claim.leaf)
  let position = leafIndex
  let last = size - 1
  let used = 0
  while (last > 0) {
    // The last node of an odd level has no sibling and moves up unchanged.
    if (position % 2 === 1 || position < last) {
      const sibling = path[used++]
      if (!isHex(sibling, HASH_BYTES)) return null
      const other = fromHex(sibling, HASH_BYTES)
      hash = position % 2 === 1 ? hashNode(other, hash) : hashNode(hash, other)
    }
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  return used === path.length ? toHex(hash) : null
}

/** Whether a bet is at its place in the book with this root. Never throws on malformed hex or numbers. */
export function verifyBookPath(claim: BookClaim & { readonly root: string }): boolean {
  const computed = rootOfClaim(claim)
  return computed !== null && computed === claim.root
}

function levelAbove(level: readonly Uint8Array[]): Uint8Array[] {
  const above: Uint8Array[] = []
  for (let i = 0; i < level.length; i += 2) {
    const left = level[i]
    const right = level[i + 1]
    if (left === undefined) break
    above.push(right === undefined ? left : hashNode(left, right))
  }
  return above
}

// The two prefixes prevent a node from being accepted as a leaf (RFC 6962 §2.1).
function hashLeaf(text: string): Uint8Array {
  return sha256(concatBytes(Uint8Array.of(0x00), utf8ToBytes(text)))
}

export function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(Uint8Array.of(0x01), left, right))
}
