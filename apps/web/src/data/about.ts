import { aboutUs } from '@sum28/contract/index-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'

const FRESH_MS = 60_000

export const aboutQuery = queryOptions({
  queryKey: ['about'],
  staleTime: FRESH_MS,
  queryFn: async ({ signal }) => (await call(aboutUs, {}, { signal })).about.content,
})
