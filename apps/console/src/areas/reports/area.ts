import BarChart from '@mui/icons-material/BarChart'
import { reportList } from '@sum28/contract/staff-reports-routes.ts'
import type { Area } from '#src/areas/area.ts'
import { ReportPage } from '#src/areas/reports/report-page.tsx'
import { keysetList } from '#src/data/lists.ts'
import texts from './en.json'

/** Figures by day, game, room and player. */
export const reports: Area = {
  name: 'reports',
  label: 'areas.reports.title',
  texts,
  menu: [
    { to: '/reports', icon: BarChart, label: 'areas.reports.figures', action: 'reports.read' },
  ],
  resources: [
    { name: 'reports', action: 'reports.read', loadList: keysetList(reportList), list: ReportPage },
  ],
  pages: [],
  searches: [],
}
