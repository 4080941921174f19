import type { RouteBinding } from '#src/http/binding.ts'
import type { DownloadBinding } from '#src/http/serve-downloads.ts'
import type { Resources } from '#src/resources.ts'

/** Answers the calls of `staff-reports-routes.ts`. */
export function consoleReportsRoutes(_deps: Resources): RouteBinding[] {
  return []
}

/** Makes the files of `staff-reports-routes.ts`. */
export function consoleReportsDownloads(_deps: Resources): DownloadBinding[] {
  return []
}
