import { issueList } from '@sum28/contract/lottery-routes.ts'
import type { Database } from '#src/db/database.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { listReply, pagingOf } from '#src/http/page.ts'
import { issueResult } from './result-wire.ts'
import { countResults, resultsOf } from './round-store.ts'

export function roundRoutes({ db }: { db: Database }): RouteBinding[] {
  return [
    bind(issueList, async ({ input }) => {
      const paging = pagingOf(input)
      const asked = { gameId: input.game_id, day: input.date ?? null }
      const results = await resultsOf(db, { ...asked, ...paging })
      const total = paging.page === null ? 0 : await countResults(db, asked)
      return listReply(results.map(issueResult), total, paging)
    }),
  ]
}
