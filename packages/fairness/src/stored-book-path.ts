/**
 * A bet's path in a stored book, without reading the whole book. It is made from the bet's block of
 * leaves and from the subtree roots that were stored while the book grew.
 */
import { bookOfHashes, bookPath } from './book-tree.ts'
import { fromHex, toHex } from './hex.ts'
import { hashNode } from './merkle-tree.ts'

/** Leaves in a block; a block is read whole. */
const BLOCK_LEVEL = 8
export const BLOCK_SIZE = 2 ** BLOCK_LEVEL

/** A subtree: the one at `position`, from 0, among those of 2^`level` leaves. */
export type Subtree = { readonly level: number; readonly position: number }

/** The stored data of a book; hashes in hex. */
export type StoredBook = {
  /** Number of bets. */
  readonly size: number
  /** The roots of the complete subtrees that make up the tree: element n is that of 2^n leaves. */
  readonly subtreeRoots: readonly (string | null)[]
}

/** The complete subtrees above its block that the path of a leaf needs. */
export function subtreesOfPath(leafIndex: number, size: number): Subtree[] {
  return siblings(leafIndex, size).filter((subtree) => isComplete(subtree, size))
}

/**
 * The inclusion path of a bet; the same that `bookPath` computes from the whole book.
 *
 * @param leafIndex from 0 to size − 1
 * @param block the hashes of all leaves of its block, in hex: fewer than {@link BLOCK_SIZE} in the
 * last
 * @param nodeAt returns the root of a complete subtree that {@link subtreesOfPath} names, in hex
 */
export function storedBookPath(
  { size, subtreeRoots }: StoredBook,
  { leafIndex, block }: { leafIndex: number; block: readonly string[] },
  nodeAt: (subtree: Subtree) => string | undefined,
): string[] {
  const inBlock = bookOfHashes(block.map((hash) => fromHex(hash, 32)))
  const above = siblings(leafIndex, size).map((subtree) => {
    const hash = isComplete(subtree, size)
      ? nodeAt(subtree)
      : lastPart(subtreeRoots, size, subtree.level)
    if (hash === undefined) throw new RangeError('a subtree of the book is missing')
    return hash
  })
  return [...bookPath(inBlock, leafIndex % BLOCK_SIZE), ...above]
}

/** From the block's level upwards; the last node of an odd level has no sibling and moves up unchanged. */
function siblings(leafIndex: number, size: number): Subtree[] {
  const subtrees: Subtree[] = []
  for (let level = BLOCK_LEVEL; 2 ** level < size; level += 1) {
    const parent = Math.floor(leafIndex / 2 ** level)
    const position = parent % 2 === 0 ? parent + 1 : parent - 1
    if (position * 2 ** level < size) subtrees.push({ level, position })
  }
  return subtrees
}

function isComplete({ level, position }: Subtree, size: number): boolean {
  return (position + 1) * 2 ** level <= size
}

/** The root of the leaves that remain after all complete subtrees of a level. */
function lastPart(
  subtreeRoots: readonly (string | null)[],
  size: number,
  level: number,
): string | undefined {
  let root: Uint8Array | undefined
  for (let below = 0; below < level; below += 1) {
    const hash = subtreeRoots[below]
    if (Math.floor(size / 2 ** below) % 2 === 0 || !hash) continue
    const left = fromHex(hash, 32)
    root = root ? hashNode(left, root) : left
  }
  return root && toHex(root)
}
