import AdminPanelSettings from '@mui/icons-material/AdminPanelSettingsOutlined'
import Badge from '@mui/icons-material/BadgeOutlined'
import NotificationsActive from '@mui/icons-material/NotificationsActiveOutlined'
import ReceiptLong from '@mui/icons-material/ReceiptLongOutlined'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { listMembers } from '@sum28/contract/staff-house-routes.ts'
import type { Area } from '#src/areas/area.ts'
import { AlertsPage } from '#src/areas/staff/alerts-page.tsx'
import { AuditList } from '#src/areas/staff/audit-list.tsx'
import { MemberList } from '#src/areas/staff/member-list.tsx'
import { OwnPage } from '#src/areas/staff/own-page.tsx'
import { RolesPage } from '#src/areas/staff/roles-page.tsx'
import { keysetList, wholeList } from '#src/data/lists.ts'
import texts from './en.json'

/** Staff: members, roles, the audit log, and the user's own account. */
export const staff: Area = {
  name: 'staff',
  label: 'areas.staff.title',
  texts,
  menu: [
    { to: '/members', icon: Badge, label: 'areas.staff.members', action: 'members.read' },
    { to: '/roles', icon: AdminPanelSettings, label: 'areas.staff.roles', action: 'own.session' },
    {
      to: '/alerts',
      icon: NotificationsActive,
      label: 'areas.staff.alerts',
      action: 'own.session',
    },
    { to: '/audit', icon: ReceiptLong, label: 'areas.staff.audit', action: 'audit.read' },
  ],
  resources: [
    {
      name: 'members',
      action: 'members.read',
      loadList: wholeList(listMembers),
      list: MemberList,
    },
    {
      name: 'audit',
      action: 'audit.read',
      loadList: keysetList(listAuditRows),
      list: AuditList,
    },
  ],
  pages: [
    { path: '/roles', action: 'own.session', page: RolesPage },
    { path: '/alerts', action: 'own.session', page: AlertsPage },
    { path: '/own', action: 'own.session', page: OwnPage },
  ],
  searches: [],
}
