import { useSearchParams } from 'react-router'
import type { QueryOf, RouteName } from '#src/app/routes.ts'

/** What an address may really hold: any text, or nothing, under each name of the route's query. */
type Asked<Query> = { readonly [Key in keyof Query]?: string }

/** The query of the route shown. Anybody may have written it: check before use. */
export function useRouteQuery<Name extends RouteName>(_name: Name): Asked<QueryOf<Name>> {
  const [search] = useSearchParams()
  return Object.fromEntries(search) as Asked<QueryOf<Name>>
}
