/** /api/staff/content: the console's area of content: articles, notices, banners, about. */
import type { Download, Route } from './route.ts'

/** Every call of the area; a call is declared here with `defineStaffRoute` and added to the list. */
export const CONTENT_ROUTES: readonly Route[] = []

/** Every file that the area lets staff download. */
export const CONTENT_DOWNLOADS: readonly Download[] = []
