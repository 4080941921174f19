import { describe, expect, it, vi } from 'vitest'
import type { Bet } from '#src/data/bet.ts'
import type { ListPage } from '#src/data/list-page.ts'
import { pendingPages, withRefreshed } from '#src/screens/bet-history/pending-bets.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { host: 'play.example' } }))

const betOf = (orderNo: string, result: Bet['result'] = 'lost') => ({ orderNo, result }) as Bet
const pageOf = (page: number, ...list: Bet[]): ListPage<Bet> => ({ page, total: 120, list })

const first = pageOf(1, betOf('e', 'pending'), betOf('d'))
const second = pageOf(2, betOf('c'), betOf('b'))
const third = pageOf(3, betOf('a'))

describe('bets that wait for their draw', () => {
  it('are refetched by the pages that list them, and no others', () => {
    expect(pendingPages([first, second, third])).toEqual([1])
    expect(pendingPages([second, third])).toEqual([])
  })

  it('are settled in their place in the list', () => {
    const settled = pageOf(1, betOf('e', 'won'), betOf('d'))
    expect(withRefreshed([first, second, third], [settled])).toEqual([settled, second, third])
  })

  it('are refetched with the whole list if its pages have shifted', () => {
    const longerPage = pageOf(1, betOf('f', 'pending'), betOf('e', 'won'))
    expect(withRefreshed([first, second], [longerPage])).toBeNull()
    expect(withRefreshed([first, second], [pageOf(1, betOf('d'))])).toBeNull()
  })
})
