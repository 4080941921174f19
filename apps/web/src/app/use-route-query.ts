import { useSearchParams } from '#src/app/navigation.tsx'
import type { QueryOf, RouteName } from '#src/app/routes.ts'

/** The values that an address can have: any text, or none, for each name of the route's query. */
type Asked<Query> = { readonly [Key in keyof Query]?: string }

/** The query of the shown route. Anybody can write an address: check the values before use. */
export function useRouteQuery<Name extends RouteName>(_name: Name): Asked<QueryOf<Name>> {
  const [search] = useSearchParams()
  return Object.fromEntries(search) as Asked<QueryOf<Name>>
}
