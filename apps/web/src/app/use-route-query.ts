import { useSearchParams } from '#src/app/navigation.tsx'
import type { QueryOf, RouteName } from '#src/app/routes.ts'

/** The values that an address may contain: any text, or none, for each parameter of the route. */
type Optional<Query> = { readonly [Key in keyof Query]?: string }

/** The query of the shown route. Users can change an address: check the values before use. */
export function useRouteQuery<Name extends RouteName>(_name: Name): Optional<QueryOf<Name>> {
  const [search] = useSearchParams()
  return Object.fromEntries(search) as Optional<QueryOf<Name>>
}
