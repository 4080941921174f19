import { config } from '@sum28/contract/index-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { setLineAddresses } from '#src/data/lines.ts'

/** The operator's configuration, fetched once a visit; it also names the lines. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    const reply = await call(config, {}, { signal })
    setLineAddresses(reply.lines)
    return reply
  },
})
