import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import vectors from '../testing/vectors/fairness-vectors.json' with { type: 'json' }
import { bookLeaf, bookPath, buildBook, readBookLeaf, rootOfClaim } from './book-tree.ts'
import { toHex } from './hex.ts'

const { leaves, root, paths, empty_root: emptyRoot } = vectors.book

// RFC 6962 §2.1 to the letter: split at the largest power of two below the size.
function rootByDefinition(texts: readonly string[]): Uint8Array {
  if (texts.length === 0) return sha256(new Uint8Array(0))
  if (texts.length === 1) return sha256(concatBytes(Uint8Array.of(0), utf8ToBytes(texts[0] ?? '')))
  let split = 1
  while (split * 2 < texts.length) split *= 2
  const left = rootByDefinition(texts.slice(0, split))
  const right = rootByDefinition(texts.slice(split))
  return sha256(concatBytes(Uint8Array.of(1), left, right))
}

const anyLeaves = fc.array(fc.string(), { minLength: 1, maxLength: 70 })
const anyBet = fc
  .tuple(anyLeaves, fc.nat())
  .map(([texts, n]) => ({ texts, leafIndex: n % texts.length }))

describe('the closed book', () => {
  it('has the published root, also without bets', () => {
    expect(buildBook(leaves)).toMatchObject({ root, size: 7 })
    expect(buildBook([])).toMatchObject({ root: emptyRoot, size: 0 })
  })

  it.each(leaves.map((leaf, i) => ({ leaf, i })))(
    'has the published path of $leaf',
    ({ leaf, i }) => {
      const path = paths[i] ?? []
      expect(bookPath(buildBook(leaves), i)).toEqual(path)
      expect(rootOfClaim({ leaf, leafIndex: i, size: 7, path })).toBe(root)
    },
  )

  it('has the root that RFC 6962 defines, for every size', () => {
    const texts = Array.from({ length: 130 }, (_, i) => `bet ${i}`)
    for (let size = 0; size <= texts.length; size++) {
      const some = texts.slice(0, size)
      expect(buildBook(some).root).toBe(toHex(rootByDefinition(some)))
    }
  })

  it('proves every bet of any book', () => {
    fc.assert(
      fc.property(anyLeaves, (texts) => {
        const book = buildBook(texts)
        for (const [leafIndex, leaf] of texts.entries()) {
          const path = bookPath(book, leafIndex)
          expect(rootOfClaim({ leaf, leafIndex, size: book.size, path })).toBe(book.root)
        }
      }),
    )
  })

  it('has another root for a changed bet, place or path', () => {
    fc.assert(
      fc.property(anyBet, fc.string(), fc.nat(), ({ texts, leafIndex }, text, n) => {
        const book = buildBook(texts)
        const leaf = texts[leafIndex] ?? ''
        const path = bookPath(book, leafIndex)
        const claim = { leaf, leafIndex, size: book.size, path }
        fc.pre(text !== leaf)
        expect(rootOfClaim({ ...claim, leaf: text })).not.toBe(book.root)
        expect(rootOfClaim({ ...claim, leaf: `${leaf} ` })).not.toBe(book.root)
        expect(rootOfClaim({ ...claim, path: [...path, book.root] })).not.toBe(book.root)
        expect(rootOfClaim({ ...claim, leafIndex: book.size })).not.toBe(book.root)
        if (path.length > 0) {
          const altered = path.with(n % path.length, '00'.repeat(32))
          expect(rootOfClaim({ ...claim, path: altered })).not.toBe(book.root)
          expect(rootOfClaim({ ...claim, path: path.slice(1) })).not.toBe(book.root)
        }
        const elsewhere = n % book.size
        if (elsewhere !== leafIndex && texts[elsewhere] !== leaf) {
          expect(rootOfClaim({ ...claim, leafIndex: elsewhere })).not.toBe(book.root)
        }
      }),
    )
  })

  it('changes its root when a bet is inserted, removed or moved', () => {
    const book = buildBook(leaves).root
    for (let i = 0; i < leaves.length; i++) {
      expect(buildBook(leaves.toSpliced(i, 0, 'O2000|1|[1]|1|00')).root).not.toBe(book)
      expect(buildBook(leaves.toSpliced(i, 1)).root).not.toBe(book)
    }
    expect(buildBook(leaves.toReversed()).root).not.toBe(book)
  })

  it('does not accept a node of two bets as one bet', () => {
    const book = buildBook(['a', 'b'])
    const inner = book.levels[0]?.map((hash) => String.fromCharCode(...hash)).join('') ?? ''
    const claim = { leaf: inner, leafIndex: 0, size: 1, path: [] }
    expect(rootOfClaim(claim)).not.toBe(book.root)
  })

  it('finds no root for a malformed claim', () => {
    const [leaf = '', path = []] = [leaves[0], paths[0]]
    const good = { leaf, leafIndex: 0, size: 7, path }
    expect(rootOfClaim(good)).toBe(root)
    for (const odd of [
      ...[-1, 0.5, 7, Number.NaN].map((leafIndex) => ({ leafIndex })),
      ...[0, 6.5, 2 ** 53, Number.POSITIVE_INFINITY].map((size) => ({ size })),
      { path: [] },
      { path: [...path, path[0] ?? ''] },
      { path: path.map((hash) => hash.toUpperCase()) },
      { path: path.map(() => 'no hex') },
      { path: path.map((hash) => `${hash}00`) },
      { path: path.map((hash) => hash.slice(2)) },
    ]) {
      expect(rootOfClaim({ ...good, ...odd })).toBeNull()
    }
    for (const position of [7, -1, 0.5, 6.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => bookPath(buildBook(leaves), position)).toThrow(RangeError)
    expect(() => bookPath(buildBook([]), 0)).toThrow(RangeError)
  })

  it('has a path of nothing for its only bet, and no other', () => {
    const only = buildBook(['a'])
    expect(bookPath(only, 0)).toEqual([])
    const claim = { leaf: 'a', leafIndex: 0, size: 1 }
    expect(rootOfClaim({ ...claim, path: [] })).toBe(only.root)
    expect(rootOfClaim({ ...claim, path: [only.root] })).toBeNull()
  })
})

describe('the text of a bet in the book', () => {
  const bet = {
    orderNo: 'O1000',
    planId: 1,
    playType: '[1,400]',
    oddsMilli: [1920, 850_000],
    rulesVersion: 3,
    stake: 100_000_000n,
    nonce: '820d5d8baf762ec66dcd56fed15c78bf',
  }

  it('is of version 2, with the odds and the version of the rules', () => {
    expect(bookLeaf(bet)).toBe(
      '2|O1000|1|[1,400]|1920,850000|3|100000000|820d5d8baf762ec66dcd56fed15c78bf',
    )
  })

  it('is read in that version alone', () => {
    expect(readBookLeaf(bookLeaf(bet))).toEqual({
      orderNo: 'O1000',
      planId: '1',
      playType: '[1,400]',
      stake: '100000000',
      odds: ['1920', '850000'],
      rulesVersion: '3',
      nonce: bet.nonce,
    })
    expect(readBookLeaf(leaves[0] ?? '')).toBeNull()
  })

  it.each([
    ['no version before its odds', (text: string) => text.slice(2)],
    ['a version without odds', (text: string) => text.replace('|1920,850000|3', '')],
    ['odds for one of two choices', (text: string) => text.replace(',850000', '')],
    ['a third version', (text: string) => text.replace('2|', '3|')],
    ['more than its fields', (text: string) => `${text}|1`],
    ['half a nonce', (text: string) => text.slice(0, -16)],
    ['another line before it', (text: string) => `x\n${text}`],
    [
      'more choices than there are outcomes',
      (text: string) =>
        text
          .replace('[1,400]', `[${Array.from({ length: 37 }, (_, at) => at + 1)}]`)
          .replace('1920,850000', Array(37).fill(1920).join()),
    ],
    ['nothing', () => ''],
  ])('is not read with %s', (_, altered) => {
    expect(readBookLeaf(altered(bookLeaf(bet)))).toBeNull()
  })

  it.each([
    ...['[1]', '[12]', '[1,400]', '[413,1,12]'],
    `[${Array.from({ length: 36 }, (_, at) => at + 1)}]`,
  ])('may have the selections %s', (playType) => {
    const oddsMilli = playType.split(',').map(() => 1920)
    const text = bookLeaf({ ...bet, playType, oddsMilli })
    expect(readBookLeaf(text)).toMatchObject({ playType })
  })

  it('may have the smallest stake', () => {
    expect(bookLeaf({ ...bet, stake: 1n })).toContain('|1|')
  })

  it('cannot be made from fields that would make it ambiguous', () => {
    for (const odd of [
      { ...bet, orderNo: 'O1|2' },
      { ...bet, orderNo: '' },
      { ...bet, orderNo: 'O1000\n' },
      { ...bet, orderNo: ' O1000' },
      { ...bet, planId: 1.5 },
      { ...bet, planId: Number.NaN },
      { ...bet, planId: Number.POSITIVE_INFINITY },
      { ...bet, planId: 2 ** 53 },
      { ...bet, playType: '[1, 400]' },
      { ...bet, playType: '1' },
      { ...bet, playType: '[]' },
      { ...bet, playType: ' [1]' },
      { ...bet, playType: '[1] ' },
      { ...bet, playType: '[1]\n' },
      { ...bet, playType: '[1,]' },
      { ...bet, playType: '[,1]' },
      { ...bet, playType: '[1,,2]' },
      { ...bet, playType: '[-1]' },
      { ...bet, playType: '[1.5]' },
      { ...bet, playType: '[1|2]' },
      { ...bet, playType: '[1][2]' },
      { ...bet, oddsMilli: [1920] },
      { ...bet, oddsMilli: [1920, 0] },
      { ...bet, oddsMilli: [1920, 1.5] },
      { ...bet, rulesVersion: 0 },
      { ...bet, rulesVersion: Number.NaN },
      { ...bet, stake: 0n },
      { ...bet, stake: -1n },
      { ...bet, nonce: 'ff' },
      { ...bet, nonce: `${bet.nonce}00` },
      { ...bet, nonce: bet.nonce.toUpperCase() },
    ]) {
      // The nonce is the player's secret, and an error may be logged.
      const words = `no line of the book can be of order ${odd.orderNo}`
      expect(() => bookLeaf(odd)).toThrow(new RangeError(words))
    }
  })
})
