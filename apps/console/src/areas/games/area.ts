import Casino from '@mui/icons-material/CasinoOutlined'
import { listRoomChanges, listRooms } from '@sum28/contract/staff-games-routes.ts'
import type { Area } from '#src/areas/area.ts'
import { RobotsPage } from '#src/areas/games/robots-page.tsx'
import { RoomChangeList } from '#src/areas/games/room-change-list.tsx'
import { RoomList } from '#src/areas/games/room-list.tsx'
import { RoomPage } from '#src/areas/games/room-page.tsx'
import { StopsPage } from '#src/areas/games/stops-page.tsx'
import { VoidPage } from '#src/areas/games/void-page.tsx'
import { keysetList, wholeList } from '#src/data/lists.ts'
import texts from './en.json'

/** Rounds, rooms, odds, stops and robots. */
export const games: Area = {
  name: 'games',
  label: 'areas.games.title',
  icon: Casino,
  texts,
  menu: [
    { to: '/rooms', label: 'areas.games.rooms', action: 'rooms.read' },
    { to: '/room-changes', label: 'areas.games.roomChanges', action: 'odds.read' },
    { to: '/stops', label: 'areas.games.stops', action: 'stops.read' },
    { to: '/void-round', label: 'areas.games.void', action: 'rounds.proposeVoid' },
    { to: '/robots', label: 'areas.games.robots', action: 'robots.read' },
  ],
  resources: [
    {
      name: 'rooms',
      action: 'rooms.read',
      ask: wholeList(listRooms),
      list: RoomList,
      show: RoomPage,
    },
    {
      name: 'room-changes',
      action: 'odds.read',
      ask: keysetList(listRoomChanges),
      list: RoomChangeList,
    },
  ],
  pages: [
    { path: '/stops', action: 'stops.read', page: StopsPage },
    { path: '/void-round', action: 'rounds.proposeVoid', page: VoidPage },
    { path: '/robots', action: 'robots.read', page: RobotsPage },
  ],
  searches: [],
}
