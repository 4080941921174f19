/**
 * The Merkle tree of RFC 6962 (§2.1) with SHA-256, by which the bets of a round and the entries of the public log are
 * bound, and its proofs. Hashes are 32 bytes.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { fromHex, isHex } from './hex.ts'

export const HASH_BYTES = 32

/** The root of a tree without leaves: the hash of the empty string. */
export const EMPTY_ROOT: Uint8Array = sha256(new Uint8Array(0))

// The two prefixes prevent a node from being accepted as a leaf (RFC 6962 §2.1).
export function hashLeaf(data: Uint8Array): Uint8Array {
  return sha256(concatBytes(Uint8Array.of(0x00), data))
}

export function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(Uint8Array.of(0x01), left, right))
}

/** The hashes of a tree from the leaves (first) to the root (last). Without leaves: one empty level. */
export function treeLevels(leafHashes: readonly Uint8Array[]): Uint8Array[][] {
  const levels: Uint8Array[][] = [[...leafHashes]]
  let level = levels[0] ?? []
  while (level.length > 1) {
    level = levelAbove(level)
    levels.push(level)
  }
  return levels
}

/** The root of a tree of these leaves. */
export function rootOfLeaves(leafHashes: readonly Uint8Array[]): Uint8Array {
  return treeLevels(leafHashes).at(-1)?.[0] ?? EMPTY_ROOT
}

/**
 * The siblings of a leaf from its level upwards.
 * @param index of the leaf, from 0; inside the tree
 */
export function inclusionPath(
  levels: readonly (readonly Uint8Array[])[],
  index: number,
): Uint8Array[] {
  const path: Uint8Array[] = []
  let position = index
  for (const level of levels) {
    const sibling = level[position % 2 === 0 ? position + 1 : position - 1]
    if (sibling !== undefined) path.push(sibling)
    position = Math.floor(position / 2)
  }
  return path
}

/** That a leaf stands at a place of a tree. */
export type Inclusion = {
  readonly leafHash: Uint8Array
  readonly index: number
  /** Leaves in the tree. */
  readonly size: number
  /** Sibling hashes from the leaf upwards. */
  readonly path: readonly Uint8Array[]
}

/**
 * The root to which a path leads.
 * @returns null when it fits no tree: place outside the tree, path too long or too short
 */
export function rootOfInclusion({ leafHash, index, size, path }: Inclusion): Uint8Array | null {
  if (!isSize(index) || !isSize(size) || index >= size) return null
  let hash = leafHash
  let position = index
  let last = size - 1
  let used = 0
  while (last > 0) {
    // The last node of an odd level has no sibling and moves up unchanged.
    if (position % 2 === 1 || position < last) {
      const other = path[used++]
      if (other?.length !== HASH_BYTES) return null
      hash = position % 2 === 1 ? hashNode(other, hash) : hashNode(hash, other)
    }
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  return used === path.length ? hash : null
}

/** The hash over some leaves of a tree, which no later leaf changes: from the place `first` to one below `end`. */
export type FullSubtree = {
  readonly first: number
  readonly end: number
  readonly hash: Uint8Array
}

/** The full subtrees on a path and beside it, as far as it fits: each later state of the tree has the same. */
export function fullSubtrees({ leafHash, index, size, path }: Inclusion): FullSubtree[] {
  if (!isSize(index) || !isSize(size) || index >= size) return []
  const found: FullSubtree[] = []
  const rest = [...path]
  let hash = leafHash
  for (let [width, at] = [1, index]; width < size; width *= 2, at = Math.floor(at / 2)) {
    const note = (place: number, each: Uint8Array) => {
      const [first, end] = [place * width, (place + 1) * width]
      if (end <= size) found.push({ first, end, hash: each })
    }
    note(at, hash)
    const beside = at % 2 === 1 ? at - 1 : at + 1
    if (beside * width >= size) continue
    const other = rest.shift()
    if (!other) break
    note(beside, other)
    hash = at % 2 === 1 ? hashNode(other, hash) : hashNode(hash, other)
  }
  return found
}

/** That a tree is a later state of another: nothing in it was changed or taken away. */
export type Consistency = {
  readonly oldSize: number
  readonly oldRoot: Uint8Array
  readonly newSize: number
  readonly newRoot: Uint8Array
  readonly proof: readonly Uint8Array[]
}

/** Whether the proof holds (RFC 9162 §2.1.4.2). An empty tree is consistent with each, by an empty proof. */
export function isConsistent({ oldSize, oldRoot, newSize, newRoot, proof }: Consistency): boolean {
  if (!isSize(oldSize) || !isSize(newSize) || oldSize > newSize) return false
  if (proof.some((hash) => hash.length !== HASH_BYTES)) return false
  if (oldSize === 0) return proof.length === 0 && sameHash(oldRoot, EMPTY_ROOT)
  if (oldSize === newSize) return proof.length === 0 && sameHash(oldRoot, newRoot)
  let position = oldSize - 1
  let last = newSize - 1
  const rest = [...proof]
  // The old tree is a complete subtree up to here, so its node stands on the way to both roots.
  while (position % 2 === 1) {
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  const first = position === 0 ? oldRoot : rest.shift()
  if (!first) return false
  let old = first
  let newHash = first
  for (const hash of rest) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      old = hashNode(hash, old)
      newHash = hashNode(hash, newHash)
      while (position % 2 === 0 && position !== 0) {
        position = Math.floor(position / 2)
        last = Math.floor(last / 2)
      }
    } else {
      newHash = hashNode(newHash, hash)
    }
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && sameHash(old, oldRoot) && sameHash(newHash, newRoot)
}

/**
 * Whether states of a tree, roots and proofs in hex, continue each the one before it.
 * @param proofs from each state to the next
 */
export function isGrown(
  states: readonly { readonly size: number; readonly root: string }[],
  proofs: readonly (readonly string[])[],
): boolean {
  const areHashes = [...states.map(({ root }) => root), ...proofs.flat()].every((hash) =>
    isHex(hash, HASH_BYTES),
  )
  const bytes = (hash: string) => fromHex(hash, HASH_BYTES)
  return (
    areHashes &&
    proofs.length === states.length - 1 &&
    proofs.every((proof, at) => {
      const [before, after] = [states[at], states[at + 1]]
      if (!before || !after) return false
      return isConsistent({
        oldSize: before.size,
        oldRoot: bytes(before.root),
        newSize: after.size,
        newRoot: bytes(after.root),
        proof: proof.map(bytes),
      })
    })
  )
}

/** Whether two hashes are the same. Nothing here is secret. */
export function sameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** Whether a number of leaves or a place among them can be computed with: a whole number from 0. */
export function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
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
