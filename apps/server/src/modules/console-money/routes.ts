import type { RouteBinding } from '#src/http/binding.ts'
import type { DownloadBinding } from '#src/http/serve-downloads.ts'
import type { Resources } from '#src/resources.ts'

/** Answers the calls of `staff-money-routes.ts`. */
export function consoleMoneyRoutes(_deps: Resources): RouteBinding[] {
  return []
}

/** Makes the files of `staff-money-routes.ts`. */
export function consoleMoneyDownloads(_deps: Resources): DownloadBinding[] {
  return []
}
