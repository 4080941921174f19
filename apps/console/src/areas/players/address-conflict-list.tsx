import { DataTable, useRecordContext } from 'react-admin'
import { StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'

const FILTERS = [searchFilter('areas.players.searchPlayer')]

/** Accounts that cannot be found by their e-mail address. */
export function AddressConflictList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'id', order: 'ASC' }}>
      <Rows>
        <DataTable.Col source="id" label="resources.address-conflicts.fields.user_id" />
        <DataTable.Col source="username" disableSort />
        <DataTable.Col source="email" disableSort />
        <StateCol source="why" texts="areas.players.why" tones={{}} />
        <DataTable.Col source="others" disableSort>
          <Others />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

function Others() {
  return useRecordContext<{ id: number; others: number[] }>()?.others.join(', ') ?? null
}
