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
  return {
    book,
    node,
    subtreeRoots: Array.from({ length: 20 }, (_, n) => {
      const position = Math.floor(size / 2 ** n) - 1
      return position % 2 === 0 ? (node(n, position) ?? null) : null
    }),
    block: (leafIndex: number) => {
      const first = leafIndex - (leafIndex % BLOCK_SIZE)
      return (book.levels[0] ?? []).slice(first, first + BLOCK_SIZE).map(toHex)
    },
  }
}

describe('the path of a bet in a stored book', () => {
  it('equals that from the whole book, for any size and place', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), fc.nat(), (size, n) => {
        const { book, node, subtreeRoots, block } = storedBookOf(size)
        // The first, the last, and one between.
        for (const leafIndex of new Set([0, size - 1, n % size])) {
          const path = storedBookPath(
            { size, subtreeRoots },
            { leafIndex, block: block(leafIndex) },
            ({ level, position }) => node(level, position),
          )
          expect(path).toEqual(bookPath(book, leafIndex))
        }
      }),
      { numRuns: 60 },
    )
  })

  it.each([1, 2, 3, 4, 5, 8])('equals it too in a book of exactly %s blocks', (blocks) => {
    const size = blocks * BLOCK_SIZE
    const { book, node, subtreeRoots, block } = storedBookOf(size)
    for (let position = 0; position < blocks; position += 1) {
      const leafIndex = position * BLOCK_SIZE
      const path = storedBookPath(
        { size, subtreeRoots },
        { leafIndex, block: block(leafIndex) },
        ({ level, position: at }) => node(level, at),
      )
      expect(path).toEqual(bookPath(book, leafIndex))
    }
  })

  it('does not read a root that is left of an earlier size', () => {
    const size = 2 * BLOCK_SIZE + 5
    const { book, node, subtreeRoots, block } = storedBookOf(size)
    const left = subtreeRoots.map((hash) => hash ?? 'ab'.repeat(32))
    const path = storedBookPath(
      { size, subtreeRoots: left },
      { leafIndex: 0, block: block(0) },
      ({ level, position }) => node(level, position),
    )
    expect(path).toEqual(bookPath(book, 0))
  })

  it('needs few subtrees, all complete', () => {
    expect(subtreesOfPath(0, BLOCK_SIZE)).toEqual([])
    expect(subtreesOfPath(0, BLOCK_SIZE + 1)).toEqual([])
    expect(subtreesOfPath(BLOCK_SIZE, BLOCK_SIZE + 1)).toEqual([{ level: 8, position: 0 }])
    expect(subtreesOfPath(500_000, 1_000_000).length).toBeLessThan(13)
  })

  it.each([
    ['of its own level', 599, 'none', 'all'],
    ['that the last part is made of', 0, 'all', 'none'],
    ['that a root which was never stored should be part of', 0, 'all', 'null'],
  ] as const)('is not made when a subtree is missing %s', (_which, leafIndex, nodes, roots) => {
    const { node, subtreeRoots, block } = storedBookOf(600)
    const stored = { all: subtreeRoots, none: [], null: subtreeRoots.map(() => null) }[roots]
    expect(() =>
      storedBookPath(
        { size: 600, subtreeRoots: stored },
        { leafIndex, block: block(leafIndex) },
        ({ level, position }) => (nodes === 'all' ? node(level, position) : undefined),
      ),
    ).toThrow('a subtree of the book is missing')
  })

  it('is not made from hashes that are not in their published form', () => {
    const { node, subtreeRoots, block } = storedBookOf(600)
    const path = (read: { subtreeRoots?: typeof subtreeRoots; block?: string[] }) =>
      storedBookPath(
        { size: 600, subtreeRoots, ...read },
        { leafIndex: 0, block: block(0), ...read },
        ({ level, position }) => node(level, position),
      )
    expect(path({})).toHaveLength(10)
    for (const odd of ['', 'zz', 'AB'.repeat(32), 'ab'.repeat(31), 'ab'.repeat(33)]) {
      expect(() => path({ block: block(0).with(1, odd) })).toThrow(RangeError)
      // An empty root counts as missing, so the others are put together without it.
      if (odd)
        expect(() => path({ subtreeRoots: subtreeRoots.map((hash) => hash && odd) })).toThrow(
          RangeError,
        )
    }
  })

  it.each([-1, 0.5, Number.NaN, 600, 767])(
    'is not made for the place %s, which the book has not',
    (leafIndex) => {
      const { node, subtreeRoots, block } = storedBookOf(600)
      expect(() =>
        storedBookPath(
          { size: 600, subtreeRoots },
          { leafIndex, block: block(599) },
          ({ level, position }) => node(level, position),
        ),
      ).toThrow(RangeError)
    },
  )
})
