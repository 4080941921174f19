import People from '@mui/icons-material/PeopleOutlined'
import type { Area } from '#src/areas/area.ts'
import texts from './en.json'

/** Players: search, one player’s page, and what staff do about him. */
export const players: Area = {
  name: 'players',
  label: 'areas.players.title',
  icon: People,
  texts,
  menu: [],
  resources: [],
  pages: [],
  searches: [],
}
