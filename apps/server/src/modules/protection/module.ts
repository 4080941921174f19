/** Player protection: limits, the reality check, breaks, and deposits that are held. */
import type { Resources } from '#src/resources.ts'
import { markNoter } from './likeness.ts'
import { protectionRoutes } from './routes.ts'

export function protectionModule({ db, sealer }: Pick<Resources, 'db' | 'sealer'>) {
  return { routes: protectionRoutes({ db }), noteMark: markNoter(sealer) }
}
