/** /api/staff/start: the console's start page. */
import type { Route } from './route.ts'

/** Every call of the area. */
export const START_ROUTES: readonly Route[] = []
