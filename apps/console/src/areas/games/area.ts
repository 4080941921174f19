import Casino from '@mui/icons-material/CasinoOutlined'
import FrontHand from '@mui/icons-material/FrontHandOutlined'
import MeetingRoom from '@mui/icons-material/MeetingRoomOutlined'
import SmartToy from '@mui/icons-material/SmartToyOutlined'
import Timeline from '@mui/icons-material/Timeline'
import { listRooms } from '@sum28/contract/staff-games-routes.ts'
import { listBets } from '@sum28/contract/staff-players-routes.ts'
import { listRounds, type TimelineRound } from '@sum28/contract/staff-timeline-routes.ts'
import { type Area, later } from '#src/areas/area.ts'
import texts from './en.json'

/** Rounds, rooms, odds, stops and robots. */
export const games: Area = {
  name: 'games',
  label: 'areas.games.title',
  texts,
  places: [
    {
      name: 'rounds',
      icon: Timeline,
      route: listRounds,
      search: {
        byNumber: true,
        show: ({ game, issue }: TimelineRound) => ({ title: `${game} · ${issue}`, details: '' }),
      },
      list: later(() => import('#src/areas/games/rounds.tsx'), 'RoundList'),
      show: later(() => import('#src/areas/games/rounds.tsx'), 'RoundPage'),
    },
    {
      name: 'bets',
      icon: Casino,
      route: listBets,
      list: later(() => import('#src/areas/money/money-lists.tsx'), 'BetList'),
    },
    {
      name: 'rooms',
      icon: MeetingRoom,
      route: listRooms,
      list: later(() => import('#src/areas/games/rooms.tsx'), 'RoomList'),
      show: later(() => import('#src/areas/games/rooms.tsx'), 'RoomPage'),
    },
    {
      name: 'stops',
      icon: FrontHand,
      label: 'areas.games.stops',
      action: 'stops.read',
      page: later(() => import('#src/areas/games/stops-page.tsx'), 'StopsPage'),
    },
    {
      name: 'robots',
      icon: SmartToy,
      label: 'areas.games.robots',
      action: 'robots.read',
      page: later(() => import('#src/areas/games/robots-page.tsx'), 'RobotsPage'),
    },
  ],
}
