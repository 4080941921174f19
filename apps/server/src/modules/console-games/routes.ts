import type { RouteBinding } from '#src/http/binding.ts'
import type { DownloadBinding } from '#src/http/serve-downloads.ts'
import type { Resources } from '#src/resources.ts'

/** Answers the calls of `staff-games-routes.ts`. */
export function consoleGamesRoutes(_deps: Resources): RouteBinding[] {
  return []
}

/** Makes the files of `staff-games-routes.ts`. */
export function consoleGamesDownloads(_deps: Resources): DownloadBinding[] {
  return []
}
