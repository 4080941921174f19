/**
 * What a house owes, as a Merkle sum tree: each node has the sum of all amounts below it, so the root proves a total,
 * and a player's path proves that his amounts are part of it. Amounts are micro-units.
 *
 * A node hashes both of its children with both of their sums, which no child can later exchange. The number of leaves
 * is a power of two: the places without a player have leaves of nothing.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { type CheckStep, compare } from './check-step.ts'
import { fromHex, isHex, toHex } from './hex.ts'
import { HASH_BYTES, hashLeaf } from './merkle-tree.ts'

/** No sum may be larger: one that overflows could hide what is owed. */
export const SUM_MAX = 2n ** 63n - 1n

const DEPTH_MAX = 40

export type SumNode = { readonly sum: bigint; readonly hash: Uint8Array }

/** What is owed to a player at a count. Of a place without a player, all are 0. */
export type OwedLeaf = {
  /** The number of the count. */
  readonly count: number
  /** The player's number, as he sees it under Me. */
  readonly playerId: number
  /** Free to spend. */
  readonly cash: bigint
  /** Of withdrawals that are not paid, and of held deposits. */
  readonly held: bigint
  /** Stakes of bets that are not decided. */
  readonly atRisk: bigint
  /** 16 random bytes in hex, so that nobody finds an amount by trying. */
  readonly salt: string
}

/** The text of a leaf: `1|count|player|cash|held|at risk|salt`. */
export function owedLeafText({ count, playerId, cash, held, atRisk, salt }: OwedLeaf): string {
  return `1|${count}|${playerId}|${cash}|${held}|${atRisk}|${salt}`
}

const LEAF =
  /^1\|([1-9][0-9]{0,8})\|(0|[1-9][0-9]{0,9})\|(0|[1-9][0-9]{0,18})\|(0|[1-9][0-9]{0,18})\|(0|[1-9][0-9]{0,18})\|([0-9a-f]{32})$/

/** Reads the text of a leaf; null if it is none, for example because an amount is negative. */
export function readOwedLeaf(text: string): OwedLeaf | null {
  const [, count, playerId, cash, held, atRisk, salt] = LEAF.exec(text) ?? []
  if (!count || !playerId || !cash || !held || !atRisk || !salt) return null
  return {
    count: Number(count),
    playerId: Number(playerId),
    salt,
    cash: BigInt(cash),
    held: BigInt(held),
    atRisk: BigInt(atRisk),
  }
}

export function leafNode(leaf: OwedLeaf): SumNode {
  return {
    sum: leaf.cash + leaf.held + leaf.atRisk,
    hash: hashLeaf(utf8ToBytes(owedLeafText(leaf))),
  }
}

/** @throws RangeError if a sum is negative or too large */
export function joinSums(left: SumNode, right: SumNode): SumNode {
  const hash = sha256(concatBytes(Uint8Array.of(0x01), nodeBytes(left), nodeBytes(right)))
  return { sum: checkedSum(left.sum + right.sum), hash }
}

/** A node as it is hashed and stored: its sum in 8 bytes, the highest first, and its hash. */
export function nodeBytes({ sum, hash }: SumNode): Uint8Array {
  const bytes = new Uint8Array(8 + HASH_BYTES)
  new DataView(bytes.buffer).setBigUint64(0, checkedSum(sum))
  bytes.set(hash, 8)
  return bytes
}

/** A node as it was stored. */
export function nodeOfBytes(bytes: Uint8Array): SumNode {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return { sum: view.getBigUint64(0), hash: bytes.subarray(8) }
}

/** All nodes of a tree, the leaves first and the root last. @param leaves a power of two of them */
export function sumLevels(leaves: readonly SumNode[]): SumNode[][] {
  const levels = [[...leaves]]
  for (let level = leaves; level.length > 1; level = levels.at(-1) ?? []) {
    const above: SumNode[] = []
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at], level[at + 1]]
      if (!left || !right) throw new RangeError('the number of leaves is no power of two')
      above.push(joinSums(left, right))
    }
    levels.push(above)
  }
  return levels
}

/** A node beside the way from a leaf to the root, as it is published. */
export type PathNode = { readonly sum: string; readonly hash: string }

/** The nodes beside the way from a leaf to the root, from below. @param index of the leaf, from 0 */
export function sumPath(levels: readonly (readonly SumNode[])[], index: number): PathNode[] {
  return levels.slice(0, -1).map((level, height) => {
    const sibling = level[Math.floor(index / 2 ** height) ^ 1]
    if (!sibling) throw new RangeError(`a tree of ${level.length} has no place ${index}`)
    return { sum: String(sibling.sum), hash: toHex(sibling.hash) }
  })
}

/** A count of what is owed, as it stands in the public log. */
export type OwedCount = {
  readonly number: number
  /** Leaves, those without a player included. */
  readonly size: number
  /** In hex. */
  readonly root: string
  /** Of all leaves, in micro-units. */
  readonly total: string
}

/** That a player's amounts are part of a count. */
export type OwedProof = {
  readonly leaf: string
  /** The place of the leaf, from 0. */
  readonly index: number
  readonly path: readonly PathNode[]
}

/**
 * What is checked, in this order: the leaf is one, and no amount is negative; it is of this count; it is of this
 * player; no sum on the way is negative or too large; the way leads to the published root; and to the published total.
 */
export type OwedStep = CheckStep<'leaf' | 'count' | 'player' | 'sums' | 'root' | 'total'>

/** Checks that a player's amounts are part of a count. Never throws, whatever the texts are. */
export function verifyOwed(
  proof: OwedProof,
  { count, playerId }: { count: OwedCount; playerId: number },
): OwedStep[] {
  const leaf = readOwedLeaf(proof.leaf)
  const fits = leaf !== null && leafNode(leaf).sum <= SUM_MAX
  const top = fits ? topOf(leafNode(leaf), proof, count.size) : null
  const sum = top && String(top.sum)
  const { number, root, total } = count
  return [
    // The text that is read is the only one of its values.
    compare('leaf', { computed: leaf && owedLeafText(leaf), published: proof.leaf }),
    compare('count', { computed: leaf && String(leaf.count), published: String(number) }),
    compare('player', { computed: leaf && String(leaf.playerId), published: String(playerId) }),
    { name: 'sums', ok: top !== null, computed: sum, published: total },
    compare('root', { computed: top && toHex(top.hash), published: root }),
    compare('total', { computed: sum, published: total }),
  ]
}

/** The node to which a path leads; null if it fits no tree of this size, or a sum is none. */
function topOf(leaf: SumNode, { index, path }: OwedProof, size: number): SumNode | null {
  const fits = Number.isSafeInteger(index) && index >= 0 && index < size
  if (!fits || path.length > DEPTH_MAX || size !== 2 ** path.length) return null
  let node = leaf
  let position = index
  for (const { sum, hash } of path) {
    if (!/^(?:0|[1-9][0-9]{0,18})$/.test(sum) || !isHex(hash, HASH_BYTES)) return null
    const sibling = { sum: BigInt(sum), hash: fromHex(hash, HASH_BYTES) }
    if (sibling.sum > SUM_MAX || node.sum + sibling.sum > SUM_MAX) return null
    node = position % 2 === 1 ? joinSums(sibling, node) : joinSums(node, sibling)
    position = Math.floor(position / 2)
  }
  return node
}

function checkedSum(sum: bigint): bigint {
  if (sum >= 0n && sum <= SUM_MAX) return sum
  throw new RangeError(`the sum ${sum} is not from 0 to ${SUM_MAX}`)
}
