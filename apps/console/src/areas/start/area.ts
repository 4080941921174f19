import Home from '@mui/icons-material/HomeOutlined'
import type { Area } from '#src/areas/area.ts'
import { StartPage } from '#src/areas/start/start-page.tsx'
import texts from './en.json'

/** The start page: tasks that wait for staff, and the figures of the day. */
export const start: Area = {
  name: 'start',
  label: null,
  texts,
  menu: [{ to: '/', icon: Home, label: 'areas.start.title', action: 'start.needs' }],
  resources: [],
  pages: [{ path: '/', action: 'start.needs', page: StartPage }],
  searches: [],
}
