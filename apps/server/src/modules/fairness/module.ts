/** The chains of seeds that decide draws, as players see them. */
import type { Resources } from '#src/resources.ts'
import { fairnessRoutes } from './routes.ts'

export function fairnessModule({ db }: Pick<Resources, 'db'>) {
  return { routes: fairnessRoutes({ db }) }
}
