import { home } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'

const REFETCH_MS = 60_000

type HomeReply = ReplyOf<typeof home>

/** `link`: inside the app or outside; empty without one. */
export type Banner = HomeReply['banner'][number]

/** The parts that wait for an answer of the server, or are below what a phone shows first; loaded meanwhile. */
export const loadLaterParts = () => import('#src/screens/home/home-later.tsx')

export const homeQuery = queryOptions({
  queryKey: ['home'],
  refetchInterval: REFETCH_MS,
  queryFn: async ({ signal }) => {
    const reply = await call(home, {}, { signal })
    return {
      banners: reply.banner,
      version: reply.version_notice,
      winners: reply.winners.map(winnerFromWire),
    }
  },
})

export type Winner = ReturnType<typeof winnerFromWire>

function winnerFromWire(winner: HomeReply['winners'][number]) {
  return {
    nickname: winner.nickname,
    game: winner.game_name,
    profit: amountFromWire(winner.profit),
    /** Milliseconds since 1970. */
    wonAt: winner.createtime * 1_000,
  }
}
