/** /api/staff/games: the console's area of games: rounds, rooms, odds, stops and robots. */
import type { Download, Route } from './route.ts'

/** Every call of the area; a call is declared here with `defineStaffRoute` and added to the list. */
export const GAMES_ROUTES: readonly Route[] = []

/** Every file that the area lets staff download. */
export const GAMES_DOWNLOADS: readonly Download[] = []
