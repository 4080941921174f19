import BarChart from '@mui/icons-material/BarChart'
import type { Area } from '#src/areas/area.ts'
import texts from './en.json'

/** Figures by day, game, room and player. */
export const reports: Area = {
  name: 'reports',
  label: 'areas.reports.title',
  icon: BarChart,
  texts,
  menu: [],
  resources: [],
  pages: [],
  searches: [],
}
