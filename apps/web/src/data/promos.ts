import { promos } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'

const FRESH_MS = 60_000

export type Promo = ReplyOf<typeof promos>[number]

/** The pictures of the action centre. */
export const promosQuery = queryOptions({
  queryKey: ['promos'],
  staleTime: FRESH_MS,
  queryFn: ({ signal }) => call(promos, {}, { signal }),
})
