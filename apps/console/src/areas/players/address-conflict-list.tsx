import { DataTable, useRecordContext } from 'react-admin'
import { DataList } from '#src/parts/data-list.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { searchFilter } from '#src/parts/search-filter.tsx'
import { StateChip } from '#src/parts/state-chip.tsx'

const FILTERS = [searchFilter('areas.players.searchPlayer')]

/** Accounts that cannot be found by their e-mail address. */
export function AddressConflictList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'id', order: 'ASC' }}>
      <Rows>
        <DataTable.Col source="id" label="resources.address-conflicts.fields.user_id" />
        <DataTable.Col source="username" disableSort />
        <DataTable.Col source="email" disableSort />
        <DataTable.Col source="why" disableSort>
          <StateChip source="why" texts="areas.players.why" tones={{}} />
        </DataTable.Col>
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
