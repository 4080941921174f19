import type { RouteBinding } from '#src/http/binding.ts'
import type { DownloadBinding } from '#src/http/serve-downloads.ts'
import type { Resources } from '#src/resources.ts'

/** Answers the calls of `staff-content-routes.ts`. */
export function consoleContentRoutes(_deps: Resources): RouteBinding[] {
  return []
}

/** Makes the files of `staff-content-routes.ts`. */
export function consoleContentDownloads(_deps: Resources): DownloadBinding[] {
  return []
}
