import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bookPath, buildBook } from './book-tree.ts'
import { toHex } from './hex.ts'
import { BLOCK_SIZE, storedBookPath, subtreesOfPath } from './stored-book-path.ts'

/** What the database keeps of a book: the roots of complete subtrees only. */
function storedBookOf(size: number) {
  const book = buildBook(Array.from({ length: size }, (_, i) => `bet ${i}`))
  const node = (level: number, position: number) => {
    const hash = book.levels[level]?.[position]
    return hash && (position + 1) * 2 ** level <= size ? toHex(hash) : undefined
  }
  const subtreeRoots = Array.from({ length: 20 }, (_, n) => {
    const position = Math.floor(size / 2 ** n) - 1
    return position % 2 === 0 ? (node(n, position) ?? null) : null
  })
  const block = (leafIndex: number) => {
    const first = leafIndex - (leafIndex % BLOCK_SIZE)
    return (book.levels[0] ?? []).slice(first, first + BLOCK_SIZE).map(toHex)
  }
  /** The path by what is stored, or by something else in its place. */
  const path = (
    leafIndex: number,
    { roots = subtreeRoots as (string | null)[], leaves = block(leafIndex), nodeAt = node } = {},
  ) =>
    storedBookPath(
      { size, subtreeRoots: roots },
      { leafIndex, block: leaves },
      ({ level, position }) => nodeAt(level, position),
    )
  return { book, subtreeRoots, block, path }
}

describe('the path of a bet in a stored book', () => {
  it('equals that from the whole book, for any size and place', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), fc.nat(), (size, n) => {
        const { book, path } = storedBookOf(size)
        // The first, the last, and one between.
        for (const leafIndex of new Set([0, size - 1, n % size]))
          expect(path(leafIndex)).toEqual(bookPath(book, leafIndex))
      }),
      { numRuns: 60 },
    )
  })

  it.each([1, 2, 3, 4, 5, 8])('equals it too in a book of exactly %s blocks', (blocks) => {
    const size = blocks * BLOCK_SIZE
    const { book, path } = storedBookOf(size)
    for (let leafIndex = 0; leafIndex < size; leafIndex += BLOCK_SIZE)
      expect(path(leafIndex)).toEqual(bookPath(book, leafIndex))
  })

  it('does not read a root that is left of an earlier size', () => {
    const { book, subtreeRoots, path } = storedBookOf(2 * BLOCK_SIZE + 5)
    const roots = subtreeRoots.map((hash) => hash ?? 'ab'.repeat(32))
    expect(path(0, { roots })).toEqual(bookPath(book, 0))
  })

  it('needs few subtrees, all complete', () => {
    expect(subtreesOfPath(0, BLOCK_SIZE)).toEqual([])
    expect(subtreesOfPath(0, BLOCK_SIZE + 1)).toEqual([])
    expect(subtreesOfPath(BLOCK_SIZE, BLOCK_SIZE + 1)).toEqual([{ level: 8, position: 0 }])
    expect(subtreesOfPath(500_000, 1_000_000).length).toBeLessThan(13)
  })

  it.each([
    ['of its own level', 599, { nodeAt: () => undefined }],
    ['that the last part is made of', 0, { roots: [] }],
    ['that a root which was never stored should be part of', 0, { roots: Array(20).fill(null) }],
  ])('is not made when a subtree is missing %s', (_which, leafIndex, stored) => {
    const { path } = storedBookOf(600)
    expect(() => path(leafIndex, stored)).toThrow('a subtree of the book is missing')
  })

  it('is not made from hashes that are not in their published form', () => {
    const { subtreeRoots, block, path } = storedBookOf(600)
    expect(path(0)).toHaveLength(10)
    for (const odd of ['', 'zz', 'AB'.repeat(32), 'ab'.repeat(31), 'ab'.repeat(33)]) {
      expect(() => path(0, { leaves: block(0).with(1, odd) })).toThrow(RangeError)
      const roots = subtreeRoots.map((hash) => hash && odd)
      // An empty root counts as missing, so the others are put together without it.
      if (odd) expect(() => path(0, { roots })).toThrow(RangeError)
    }
  })

  it.each([-1, 0.5, Number.NaN, 600, 767])(
    'is not made for the place %s, which the book has not',
    (leafIndex) => {
      const { block, path } = storedBookOf(600)
      expect(() => path(leafIndex, { leaves: block(599) })).toThrow(RangeError)
    },
  )
})
