import { describe, expect, it } from 'vitest'
import { itemsOf, pageAfter, pageOfReply } from '#src/data/list-page.ts'

describe('a list that grows', () => {
  it('is fetched page by page until its end', () => {
    const list = Array.from({ length: 50 }, (_, at) => at)
    expect(pageAfter({ list, total: 120, page: 1 })).toBe(2)
    expect(pageAfter({ list, total: 120, page: 2 })).toBe(3)
    expect(pageAfter({ list: list.slice(0, 20), total: 120, page: 3 })).toBeUndefined()
    expect(pageAfter({ list, total: 50, page: 1 })).toBeUndefined()
  })

  it('ends with an empty page', () => {
    expect(pageAfter({ list: [], total: 120, page: 2 })).toBeUndefined()
  })

  it('shows an item once if it moved to the next page meanwhile', () => {
    const pages = [
      { list: ['c', 'b'], total: 4, page: 1 },
      { list: ['b', 'a'], total: 4, page: 2 },
    ]
    expect(itemsOf(pages, (item) => item)).toEqual(['c', 'b', 'a'])
  })

  it('may be a bare array', () => {
    expect(pageOfReply(['a'])).toEqual({ list: ['a'], total: 1, page: 1 })
  })
})
