import { config } from '@sum28/contract/index-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { setLineAddresses } from '#src/data/lines.ts'

/** What the operator configured; asked once a visit, and the lines are taken from it. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    const reply = await call(config, {}, { signal })
    setLineAddresses(reply.lines)
    return reply
  },
})
