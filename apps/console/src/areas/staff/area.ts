import Badge from '@mui/icons-material/BadgeOutlined'
import { listMembers } from '@sum28/contract/staff-house-routes.ts'
import type { Area } from '#src/areas/area.ts'
import { MemberList } from '#src/areas/staff/member-list.tsx'
import { OwnPage } from '#src/areas/staff/own-page.tsx'
import { RolesPage } from '#src/areas/staff/roles-page.tsx'
import { wholeList } from '#src/data/lists.ts'
import texts from './en.json'

/** Those who work here: members, roles, the audit log, and one's own account. */
export const staff: Area = {
  name: 'staff',
  label: 'areas.staff.title',
  icon: Badge,
  texts,
  menu: [
    { to: '/members', label: 'areas.staff.members', action: 'members.read' },
    { to: '/roles', label: 'areas.staff.roles', action: 'own.session' },
  ],
  resources: [
    {
      name: 'members',
      action: 'members.read',
      ask: wholeList(listMembers),
      list: MemberList,
    },
  ],
  pages: [
    { path: '/roles', action: 'own.session', page: RolesPage },
    { path: '/own', action: 'own.session', page: OwnPage },
  ],
  searches: [],
}
