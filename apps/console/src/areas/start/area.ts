import Home from '@mui/icons-material/HomeOutlined'
import StickyNote from '@mui/icons-material/StickyNote2Outlined'
import { listShiftNotes } from '@sum28/contract/staff-start-routes.ts'
import { type Area, later } from '#src/areas/area.ts'
import texts from './en.json'

/** The start page: tasks that wait for staff, and the figures of the day. */
export const start: Area = {
  name: 'start',
  label: null,
  texts,
  places: [
    {
      name: '',
      icon: Home,
      label: 'areas.start.title',
      action: 'start.needs',
      page: later(() => import('#src/areas/start/start-page.tsx'), 'StartPage'),
    },
    {
      name: 'shift-notes',
      icon: StickyNote,
      route: listShiftNotes,
      list: later(() => import('#src/areas/start/shift-notes.tsx'), 'ShiftNotes'),
    },
  ],
}
