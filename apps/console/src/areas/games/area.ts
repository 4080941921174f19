import Casino from '@mui/icons-material/CasinoOutlined'
import type { Area } from '#src/areas/area.ts'
import { RobotsPage } from '#src/areas/games/robots-page.tsx'
import { StopsPage } from '#src/areas/games/stops-page.tsx'
import { VoidPage } from '#src/areas/games/void-page.tsx'
import texts from './en.json'

/** Rounds, rooms, odds, stops and robots. */
export const games: Area = {
  name: 'games',
  label: 'areas.games.title',
  icon: Casino,
  texts,
  menu: [
    { to: '/stops', label: 'areas.games.stops', action: 'stops.read' },
    { to: '/void-round', label: 'areas.games.void', action: 'rounds.proposeVoid' },
    { to: '/robots', label: 'areas.games.robots', action: 'robots.read' },
  ],
  resources: [],
  pages: [
    { path: '/stops', action: 'stops.read', page: StopsPage },
    { path: '/void-round', action: 'rounds.proposeVoid', page: VoidPage },
    { path: '/robots', action: 'robots.read', page: RobotsPage },
  ],
  searches: [],
}
