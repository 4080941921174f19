import { home } from '@sum28/contract/index-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'

const REFETCH_MS = 60_000

export type Banner = {
  readonly id: number
  readonly image: string
  /** Inside the app or outside; empty without one. */
  readonly link: string
}

export type Winner = {
  readonly nickname: string
  readonly game: string
  readonly profit: Amount
  /** Unix ms. */
  readonly wonAt: number
}

/** The parts that wait for an answer of the server, or are below what a phone shows first; loaded meanwhile. */
export const loadLaterParts = () => import('#src/screens/home/home-later.tsx')

export const homeQuery = queryOptions({
  queryKey: ['home'],
  refetchInterval: REFETCH_MS,
  queryFn: async ({ signal }) => {
    const { banner, winners, version_notice } = await call(home, {}, { signal })
    return {
      banners: banner as readonly Banner[],
      version: version_notice,
      winners: winners.map(
        ({ nickname, game_name, profit, createtime }): Winner => ({
          nickname,
          game: game_name,
          profit: amountFromWire(profit),
          wonAt: createtime * 1_000,
        }),
      ),
    }
  },
})
