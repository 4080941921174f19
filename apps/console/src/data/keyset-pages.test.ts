import { describe, expect, it, test } from 'vitest'
import { neighboursOf, rememberList } from '#src/data/opened-list.ts'
import { keysetPages } from './keyset-pages.ts'

/** A list of so many items, in pages of ten; a cursor is the number of the item before. */
function listOf(total: number) {
  const requested: (string | undefined)[] = []
  const fetchPage = async (after: string | undefined) => {
    requested.push(after)
    const from = Number(after ?? 0)
    const list = Array.from({ length: Math.min(10, Math.max(0, total - from)) }, (_, i) => from + i)
    return { list, next: from + 10 < total ? String(from + 10) : null }
  }
  return { fetchPage, requested }
}

describe('the pages of a list', () => {
  it('are requested by the cursor of the previous page', async () => {
    const pages = keysetPages()
    const { fetchPage, requested } = listOf(25)
    expect((await pages('a', 1, fetchPage)).list[0]).toBe(0)
    expect((await pages('a', 2, fetchPage)).list[0]).toBe(10)
    expect(await pages('a', 3, fetchPage)).toMatchObject({
      next: null,
      list: [20, 21, 22, 23, 24],
    })
    expect(requested).toEqual([undefined, '10', '20'])
  })

  it('are fetched one after another up to a later page that a shared address names', async () => {
    const { fetchPage, requested } = listOf(45)
    expect((await keysetPages()('a', 4, fetchPage)).list[0]).toBe(30)
    expect(requested).toEqual([undefined, '10', '20', '30'])
  })

  it('end where the list ends', async () => {
    const { fetchPage } = listOf(15)
    expect(await keysetPages()('a', 9, fetchPage)).toEqual({ list: [], next: null })
  })

  it('belong to one filter and order each', async () => {
    const pages = keysetPages()
    const { fetchPage, requested } = listOf(45)
    await pages('a', 1, fetchPage)
    await pages('a', 2, fetchPage)
    await pages('b', 2, fetchPage)
    expect(requested).toEqual([undefined, '10', undefined, '10'])
  })
})

test('a page that was opened from a list has the rows beside its own as neighbours', () => {
  rememberList('players', [7, 5, 3])
  expect(neighboursOf('players', '7')).toEqual({ before: null, after: '5', position: 1, of: 3 })
  expect(neighboursOf('players', '5')).toEqual({ before: '7', after: '3', position: 2, of: 3 })
  expect(neighboursOf('players', '3')).toEqual({ before: '5', after: null, position: 3, of: 3 })
})

test('a page whose record is in no list, or in another list, has none', () => {
  rememberList('players', [7])
  expect(neighboursOf('players', '8')).toBeNull()
  expect(neighboursOf('rounds', '7')).toBeNull()
})
