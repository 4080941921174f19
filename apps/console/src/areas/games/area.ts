import Casino from '@mui/icons-material/CasinoOutlined'
import type { Area } from '#src/areas/area.ts'
import texts from './en.json'

/** Rounds, rooms, odds, stops and robots. */
export const games: Area = {
  name: 'games',
  label: 'areas.games.title',
  icon: Casino,
  texts,
  menu: [],
  resources: [],
  pages: [],
  searches: [],
}
