import { utf8ToBytes } from '@noble/hashes/utils.js'
import { fromHex, isHex, toHex } from './hex.ts'
import {
  EMPTY_ROOT,
  HASH_BYTES,
  hashLeaf,
  inclusionPath,
  rootOfInclusion,
  treeLevels,
} from './merkle-tree.ts'

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

/**
 * The text of a bet in the book, in version 2: `2|order number|plan id|rule ids|odds|rules version|stake|nonce`.
 * @throws RangeError when a field is not in its published form, or contains the separator
 */
export function bookLeaf(bet: BookedBet): string {
  const { orderNo, planId, playType, oddsMilli, rulesVersion, stake, nonce } = bet
  const text = `2|${orderNo}|${planId}|${playType}|${oddsMilli}|${rulesVersion}|${stake}|${nonce}`
  const isAboveZero = [...oddsMilli, rulesVersion, stake].every((value) => value > 0)
  if (isAboveZero && readBookLeaf(text)) return text
  throw new RangeError(`no line of the book can be of order ${orderNo}`)
}

/** What a leaf states, as its text has it. */
export interface LeafFields {
  readonly orderNo: string
  readonly planId: string
  readonly playType: string
  /** In thousandths, in the order of the rule ids. */
  readonly odds: readonly string[]
  readonly rulesVersion: string
  readonly stake: string
  readonly nonce: string
}

// Of 36 outcomes each at most once.
const LEAF =
  /^2\|(?<orderNo>[0-9A-Za-z_-]+)\|(?<planId>[0-9]{1,15})\|(?<playType>\[[0-9]{1,15}(?:,[0-9]{1,15}){0,35}\])\|(?<odds>[0-9]{1,15}(?:,[0-9]{1,15}){0,35})\|(?<rulesVersion>[0-9]{1,15})\|(?<stake>[0-9]{1,30})\|(?<nonce>[0-9a-f]{32})$/

/** Reads such a leaf; null if it is none. */
export function readBookLeaf(text: string): LeafFields | null {
  const { orderNo, planId, playType, odds, rulesVersion, stake, nonce } =
    LEAF.exec(text)?.groups ?? {}
  if (!orderNo || !planId || !playType || !odds || !rulesVersion || !stake || !nonce) return null
  const each = odds.split(',')
  if (each.length !== playType.split(',').length) return null
  return { orderNo, planId, playType, odds: each, rulesVersion, stake, nonce }
}

/** Builds the book from leaf texts: about two hashes a bet, and one for a book without bets. */
export function buildBook(leaves: readonly string[]): BookTree {
  return bookOfHashes(leaves.map(hashBet))
}

/** Builds the book, or one subtree of it, from the hashes of its leaves. */
export function bookOfHashes(leafHashes: readonly Uint8Array[]): BookTree {
  const levels = treeLevels(leafHashes)
  return { root: toHex(levels.at(-1)?.[0] ?? EMPTY_ROOT), size: leafHashes.length, levels }
}

/**
 * The inclusion path of a bet: the siblings from the leaf upwards, in hex.
 * @param leafIndex from 0 to size − 1
 */
export function bookPath(book: BookTree, leafIndex: number): string[] {
  if (!Number.isSafeInteger(leafIndex) || leafIndex < 0 || leafIndex >= book.size) {
    throw new RangeError(`no bet ${leafIndex} in a book of ${book.size}`)
  }
  return inclusionPath(book.levels, leafIndex).map(toHex)
}

/**
 * Computes the root from a claim, in hex.
 * @returns null when the claim fits no tree: place outside the book, path too long or too short
 */
export function rootOfClaim({ leaf, leafIndex, size, path }: BookClaim): string | null {
  if (!path.every((hash) => isHex(hash, HASH_BYTES))) return null
  const root = rootOfInclusion({
    leafHash: hashBet(leaf),
    index: leafIndex,
    size,
    path: path.map((hash) => fromHex(hash, HASH_BYTES)),
  })
  return root && toHex(root)
}

function hashBet(leaf: string): Uint8Array {
  return hashLeaf(utf8ToBytes(leaf))
}
