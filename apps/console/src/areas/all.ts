/** Every area, in the order of the menu. */
import type { Area } from '#src/areas/area.ts'
import { content } from '#src/areas/content/area.ts'
import { games } from '#src/areas/games/area.ts'
import { money } from '#src/areas/money/area.ts'
import { players } from '#src/areas/players/area.ts'
import { proposals } from '#src/areas/proposals/area.ts'
import { reports } from '#src/areas/reports/area.ts'
import { staff } from '#src/areas/staff/area.ts'
import { start } from '#src/areas/start/area.ts'

export const AREAS: readonly Area[] = [
  start,
  proposals,
  players,
  money,
  games,
  content,
  reports,
  staff,
]

export const PLACES = AREAS.flatMap(({ places }) => places)
export const RESOURCES = PLACES.filter((place) => 'route' in place)
export const PAGES = PLACES.filter((place) => 'page' in place)
