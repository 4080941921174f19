/** Player protection: limits, the reality check, breaks, and deposits that are held. */
import type { Resources } from '#src/resources.ts'
import { markNoter } from './likeness.ts'
import { protectionRoutes } from './routes.ts'

export function protectionModule(deps: Pick<Resources, 'db' | 'config' | 'cipher' | 'timeZone'>) {
  const { cipher, config } = deps
  return {
    routes: protectionRoutes(deps),
    noteMark: markNoter(cipher, { limits: config.rateLimits }),
  }
}
