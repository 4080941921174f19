import { describe, expect, it } from 'vitest'
import { keysetPages } from './keyset-pages.ts'

/** A list of so many items, in pages of ten; a cursor is the number of the item before. */
function listOf(total: number) {
  const asked: (string | undefined)[] = []
  const ask = async (after: string | undefined) => {
    asked.push(after)
    const from = Number(after ?? 0)
    const list = Array.from({ length: Math.min(10, Math.max(0, total - from)) }, (_, i) => from + i)
    return { list, next: from + 10 < total ? String(from + 10) : null }
  }
  return { ask, asked }
}

describe('the pages of a list', () => {
  it('are asked for by the cursor that the page before gave', async () => {
    const pages = keysetPages()
    const { ask, asked } = listOf(25)
    expect((await pages.get('a', 1, ask)).list[0]).toBe(0)
    expect((await pages.get('a', 2, ask)).list[0]).toBe(10)
    expect(await pages.get('a', 3, ask)).toMatchObject({ next: null, list: [20, 21, 22, 23, 24] })
    expect(asked).toEqual([undefined, '10', '20'])
  })

  it('are walked to where a shared address names a later one', async () => {
    const { ask, asked } = listOf(45)
    expect((await keysetPages().get('a', 4, ask)).list[0]).toBe(30)
    expect(asked).toEqual([undefined, '10', '20', '30'])
  })

  it('end where the list ends', async () => {
    const { ask } = listOf(15)
    expect(await keysetPages().get('a', 9, ask)).toEqual({ list: [], next: null })
  })

  it('belong to one filter and order each', async () => {
    const pages = keysetPages()
    const { ask, asked } = listOf(45)
    await pages.get('a', 1, ask)
    await pages.get('a', 2, ask)
    await pages.get('b', 2, ask)
    expect(asked).toEqual([undefined, '10', undefined, '10'])
  })
})
