import type { RouteBinding } from '#src/http/binding.ts'
import type { DownloadBinding } from '#src/http/serve-downloads.ts'
import type { Resources } from '#src/resources.ts'

/** Answers the calls of `staff-start-routes.ts`. */
export function consoleStartRoutes(_deps: Resources): RouteBinding[] {
  return []
}

/** Makes the files of `staff-start-routes.ts`. */
export function consoleStartDownloads(_deps: Resources): DownloadBinding[] {
  return []
}
