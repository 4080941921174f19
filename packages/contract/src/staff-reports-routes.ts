/** /api/staff/reports: the console's area of reports: figures by day, game, room and player. */
import type { Download, Route } from './route.ts'

/** Every call of the area; a call is declared here with `defineStaffRoute` and added to the list. */
export const REPORTS_ROUTES: readonly Route[] = []

/** Every file that the area lets staff download. */
export const REPORTS_DOWNLOADS: readonly Download[] = []
