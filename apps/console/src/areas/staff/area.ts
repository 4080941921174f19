import AdminPanelSettings from '@mui/icons-material/AdminPanelSettingsOutlined'
import Badge from '@mui/icons-material/BadgeOutlined'
import NotificationsActive from '@mui/icons-material/NotificationsActiveOutlined'
import ReceiptLong from '@mui/icons-material/ReceiptLongOutlined'
import Tune from '@mui/icons-material/TuneOutlined'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { listMembers } from '@sum28/contract/staff-house-routes.ts'
import { type Area, later } from '#src/areas/area.ts'
import texts from './en.json'

/** Staff: members, roles, the audit log, and the user's own account. */
export const staff: Area = {
  name: 'staff',
  label: 'areas.staff.title',
  texts,
  places: [
    {
      name: 'members',
      icon: Badge,
      route: listMembers,
      list: later(() => import('#src/areas/staff/member-list.tsx'), 'MemberList'),
    },
    {
      name: 'roles',
      icon: AdminPanelSettings,
      label: 'areas.staff.roles',
      action: 'own.session',
      page: later(() => import('#src/areas/staff/roles-page.tsx'), 'RolesPage'),
    },
    {
      name: 'alerts',
      icon: NotificationsActive,
      label: 'areas.staff.alerts',
      action: 'own.session',
      page: later(() => import('#src/areas/staff/alerts-page.tsx'), 'AlertsPage'),
    },
    {
      name: 'settings',
      icon: Tune,
      label: 'areas.staff.settings',
      action: 'settings.read',
      page: later(() => import('#src/areas/staff/settings-page.tsx'), 'SettingsPage'),
    },
    {
      name: 'audit',
      icon: ReceiptLong,
      route: listAuditRows,
      list: later(() => import('#src/areas/staff/audit-list.tsx'), 'AuditList'),
    },
    {
      name: 'own',
      label: 'console.own.title',
      action: 'own.session',
      page: later(() => import('#src/areas/staff/own-page.tsx'), 'OwnPage'),
    },
  ],
}
