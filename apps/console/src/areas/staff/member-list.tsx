import { closeMember } from '@sum28/contract/staff-house-routes.ts'
import { BooleanField, DataTable, useRecordContext } from 'react-admin'
import { useSession } from '#src/data/session.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { MomentCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'

const FILTERS = [searchFilter('areas.staff.searchMembers')]

/** The members of staff. Accounts are created and reset on the server, by `npm run console:staff`. */
export function MemberList() {
  return (
    <DataList filters={FILTERS}>
      <Rows>
        <DataTable.Col source="name" disableSort />
        <DataTable.Col source="role" disableSort />
        <MomentCol source="createtime" />
        <DataTable.Col source="active" disableSort>
          <BooleanField source="active" />
        </DataTable.Col>
        <DataTable.Col label="console.actions" disableSort>
          <Close />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

function Close() {
  const record = useRecordContext<{ id: number; name: string; active: boolean }>()
  const self = useSession()?.name
  // Members cannot close their own accounts.
  if (!record?.active || record.name === self) return null
  return (
    <ActionButton
      route={closeMember}
      request={{ name: record.name }}
      label="areas.staff.close"
      done="areas.staff.closed"
      tone="error"
    >
      {record.name}
    </ActionButton>
  )
}
