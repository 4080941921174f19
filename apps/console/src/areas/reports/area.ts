import BarChart from '@mui/icons-material/BarChart'
import Groups from '@mui/icons-material/GroupsOutlined'
import { activityList, reportList } from '@sum28/contract/staff-reports-routes.ts'
import { type Area, later } from '#src/areas/area.ts'
import texts from './en.json'

/** Figures by day, game, room and player; new, active and dormant players. */
export const reports: Area = {
  name: 'reports',
  label: 'areas.reports.title',
  texts,
  places: [
    {
      name: 'reports',
      icon: BarChart,
      label: 'areas.reports.figures',
      route: reportList,
      list: later(() => import('#src/areas/reports/report-page.tsx'), 'ReportPage'),
    },
    {
      name: 'activity',
      icon: Groups,
      route: activityList,
      list: later(() => import('#src/areas/reports/activity-page.tsx'), 'ActivityPage'),
    },
  ],
}
