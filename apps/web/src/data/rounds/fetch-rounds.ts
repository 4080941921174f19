import { issueList } from '@sum28/contract/lottery-routes.ts'
import type { Day } from '@sum28/domain/schedule.ts'
import { call } from '#src/data/client.ts'
import { type ListPage, pageOfReply } from '#src/data/list-page.ts'
import { type PastRound, pastRoundFromWire } from '#src/data/rounds/past-round.ts'

type PageFields = { limit?: number; page?: number; date?: Day }

/** Fetches past rounds of a game once, newest first. Rejects as `call` does. */
export async function fetchRounds(
  gameId: number,
  pageFields: PageFields,
  signal: AbortSignal,
): Promise<ListPage<PastRound>> {
  const page = pageOfReply(await call(issueList, { game_id: gameId, ...pageFields }, { signal }))
  return { ...page, list: page.list.map(pastRoundFromWire) }
}
