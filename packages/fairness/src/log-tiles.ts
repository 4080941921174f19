/**
 * A public log as c2sp.org/tlog-tiles serves it: files of up to 256 hashes, bundles of up to 256 entries, and the
 * proofs that are computed from them.
 */
import { concatBytes } from '@noble/hashes/utils.js'
import { EMPTY_ROOT, hashNode, isSize, treeLevels } from './merkle-tree.ts'

/** Hashes in a full tile, and entries in a full bundle. */
export const TILE_WIDTH = 256
const TILE_HEIGHT = 8
const LONGEST_ENTRY = 0xffff

/** A file of the log: hashes at a level, from 0, or entries. Its width is below 256 where it is not full. */
export type Tile = {
  readonly level: number | 'entries'
  /** From 0. */
  readonly index: number
  /** From 1 to 256. */
  readonly width: number
}

/** The path under the log's address: `tile/0/x001/234`, `tile/entries/000.p/17`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index)
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0')
  const parts = padded.match(/.{3}/g) ?? []
  const name = parts.map((part, at) => (at < parts.length - 1 ? `x${part}` : part)).join('/')
  return `tile/${level}/${name}${width === TILE_WIDTH ? '' : `.p/${width}`}`
}

/** Reads such a path. Null for every other text: a tile has one path. */
export function readTilePath(path: string): Tile | null {
  const [, level = '', name = '', width = '256'] =
    /^tile\/(entries|[0-9]{1,2})\/((?:x[0-9]{3}\/){0,4}[0-9]{3})(?:\.p\/([0-9]{1,3}))?$/.exec(
      path,
    ) ?? []
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(name.replaceAll(/[x/]/g, '')),
    width: Number(width),
  }
  if (tile.width < 1 || tile.width > TILE_WIDTH || (tile.level !== 'entries' && tile.level > 63)) {
    return null
  }
  return tilePath(tile) === path ? tile : null
}

/** The tile of a level in a tree; null if that tree has none there. */
export function tileOf(size: number, level: number | 'entries', index: number): Tile | null {
  const hashes = Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level))
  const width = Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH)
  return isSize(index) && width > 0 ? { level, index, width } : null
}

/** Entries as the log serves them: each after its length, as two bytes, highest first. */
export function formatBundle(entries: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    ...entries.flatMap((entry) => {
      if (entry.length > LONGEST_ENTRY) throw new RangeError('an entry has at most 65,535 bytes')
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]
    }),
  )
}

/**
 * The entries of a bundle; null if it does not end with an entry.
 * @param width of its name: of a bundle that has more, the first one too many is the last
 */
export function readBundle(
  bytes: Uint8Array,
  width = Number.POSITIVE_INFINITY,
): Uint8Array[] | null {
  const entries: Uint8Array[] = []
  let at = 0
  while (at < bytes.length && entries.length <= width) {
    const [high, low] = bytes.slice(at, at + 2)
    if (high === undefined || low === undefined) return null
    const end = at + 2 + high * 256 + low
    if (end > bytes.length) return null
    entries.push(bytes.slice(at + 2, end))
    at = end
  }
  return entries
}

/** The proofs of a log at one size. */
export type LogProofs = {
  /** The root of its first `size` entries, at most those of the log. */
  root(size?: number): Promise<Uint8Array>
  /** The path of an entry to the root: RFC 6962 §2.1.1. */
  inclusion(index: number): Promise<Uint8Array[]>
  /** That the log continues its first `oldSize` entries: RFC 6962 §2.1.2. Empty for 0 and for its own size. */
  consistency(oldSize: number): Promise<Uint8Array[]>
}

/** The trees of tiles, by their paths. A tile of a log never changes, so proofs of any size may share them. */
export type TileTrees = {
  get(path: string): Promise<TileTree> | undefined
  set(path: string, tree: Promise<TileTree>): unknown
  delete(path: string): unknown
}

/** A tile's hashes, and those of the levels above them. */
type TileTree = readonly (readonly Uint8Array[])[]

/**
 * @param size of the log, for which its tiles are asked
 * @param hashesOf returns a tile's hashes, as many as its width
 * @param trees those of proofs of the same log
 */
export function logProofs(
  size: number,
  hashesOf: (tile: Tile & { level: number }) => Promise<readonly Uint8Array[]>,
  trees: TileTrees = new Map(),
): LogProofs {
  function treeAt(level: number, index: number): Promise<TileTree> {
    const tile = tileOf(size, level, index)
    if (!tile) throw new RangeError(`a log of ${size} has no tile ${index} at level ${level}`)
    const path = tilePath(tile)
    const known = trees.get(path)
    if (known) return known
    const tree = hashesOf({ ...tile, level }).then(treeLevels)
    trees.set(path, tree)
    tree.catch(() => trees.delete(path))
    return tree
  }

  /** A complete subtree of 2^height leaves, from the tile that has its hash or those below it. */
  async function complete(start: number, height: number): Promise<Uint8Array> {
    // The root of a full tile stands in the level above.
    const level = Math.floor(height / TILE_HEIGHT)
    const above = height % TILE_HEIGHT
    const first = start / TILE_WIDTH ** level
    const tree = await treeAt(level, Math.floor(first / TILE_WIDTH))
    const hash = tree[above]?.[(first % TILE_WIDTH) / 2 ** above]
    if (!hash) throw new RangeError(`a tile at level ${level} has no subtree at ${start}`)
    return hash
  }

  /** MTH(D[start:end]); `start` is where a subtree of RFC 6962's division begins. */
  async function rangeRoot(start: number, end: number): Promise<Uint8Array> {
    const count = end - start
    if (count === 0) return EMPTY_ROOT
    const half = split(count)
    if (half * 2 === count || count === 1) return complete(start, Math.log2(count))
    return hashNode(await complete(start, Math.log2(half)), await rangeRoot(start + half, end))
  }

  async function path(index: number, start: number, end: number): Promise<Uint8Array[]> {
    if (end - start === 1) return []
    const middle = start + split(end - start)
    return index < middle
      ? [...(await path(index, start, middle)), await rangeRoot(middle, end)]
      : [...(await path(index, middle, end)), await rangeRoot(start, middle)]
  }

  /** SUBPROOF(m, D[start:end], whole). */
  async function subproof(
    oldEnd: number,
    { start, end, whole }: { start: number; end: number; whole: boolean },
  ): Promise<Uint8Array[]> {
    if (oldEnd === end) return whole ? [] : [await rangeRoot(start, end)]
    const middle = start + split(end - start)
    return oldEnd <= middle
      ? [...(await subproof(oldEnd, { start, end: middle, whole })), await rangeRoot(middle, end)]
      : [
          ...(await subproof(oldEnd, { start: middle, end, whole: false })),
          await rangeRoot(start, middle),
        ]
  }

  return {
    async root(first = size) {
      assertWithin(first, size)
      return rangeRoot(0, first)
    },
    async inclusion(index) {
      assertWithin(index, size - 1)
      return path(index, 0, size)
    },
    async consistency(oldSize) {
      assertWithin(oldSize, size)
      if (oldSize === 0) return []
      return subproof(oldSize, { start: 0, end: size, whole: true })
    },
  }
}

/** The largest power of two below a count; 1 for 1. */
function split(count: number): number {
  let half = 1
  while (half * 2 < count) half *= 2
  return half
}

function assertWithin(value: number, max: number): void {
  if (!isSize(value) || value > max) throw new RangeError(`${value} is outside of the log`)
}
