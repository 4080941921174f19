import type { Access } from '#src/navigation/routes.ts'

/**
 * `pass`: show the screen. `restore`: first get a session for the remembered device. `login`: show
 * the loading toast for 500 ms, then the login screen.
 */
export type GuardDecision = 'pass' | 'restore' | 'login'

/** Decides who may see a screen. `canRestore`: remember-me was ticked and has not been refused since. */
export function decideGuard(visit: {
  access: Access
  signedIn: boolean
  canRestore: boolean
}): GuardDecision {
  if (visit.access === 'open' || visit.signedIn) return 'pass'
  return visit.canRestore ? 'restore' : 'login'
}
