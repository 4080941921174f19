/** The rules in numbers, as the server applies them. */
import { rules } from '@sum28/contract/index-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { rulesFromWire } from '#src/data/room-rules.ts'

export const rulesQuery = queryOptions({
  queryKey: ['rules'],
  staleTime: 60_000,
  // Amounts are bigints, which structural sharing cannot compare.
  structuralSharing: false,
  queryFn: async ({ signal }) => rulesFromWire(await call(rules, {}, { signal })),
})
