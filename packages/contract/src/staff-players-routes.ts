/** /api/staff/players: the console's area of players: search, one player’s page, and what staff do about him. */
import type { Download, Route } from './route.ts'

/** Every call of the area; a call is declared here with `defineStaffRoute` and added to the list. */
export const PLAYERS_ROUTES: readonly Route[] = []

/** Every file that the area lets staff download. */
export const PLAYERS_DOWNLOADS: readonly Download[] = []
