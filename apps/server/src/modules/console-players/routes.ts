import type { RouteBinding } from '#src/http/binding.ts'
import type { DownloadBinding } from '#src/http/serve-downloads.ts'
import type { Resources } from '#src/resources.ts'

/** Answers the calls of `staff-players-routes.ts`. */
export function consolePlayersRoutes(_deps: Resources): RouteBinding[] {
  return []
}

/** Makes the files of `staff-players-routes.ts`. */
export function consolePlayersDownloads(_deps: Resources): DownloadBinding[] {
  return []
}
