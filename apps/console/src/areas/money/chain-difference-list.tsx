import { DIFFERENCE_KINDS } from '@sum28/contract/staff-routes.ts'
import { DataTable, SelectInput } from 'react-admin'
import { DataList } from '#src/parts/data-list.tsx'
import { Moment } from '#src/parts/moment.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/state-chip.tsx'

const FILTERS = [
  <SelectInput
    key="kind"
    source="kind"
    choices={DIFFERENCE_KINDS.map((id) => ({ id, name: `areas.money.difference.${id}` }))}
    label="resources.chain-differences.fields.kind"
    alwaysOn
  />,
]

/** What the daily comparison of chain and ledger found. */
export function ChainDifferenceList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'id', order: 'DESC' }}>
      <Rows>
        <DataTable.Col source="id" />
        <DataTable.Col source="found_at" disableSort>
          <Moment source="found_at" />
        </DataTable.Col>
        <DataTable.Col source="kind" disableSort>
          <StateChip source="kind" texts="areas.money.difference" tones={{}} />
        </DataTable.Col>
        <DataTable.Col source="tx_id" disableSort />
        <DataTable.Col source="settled" disableSort />
      </Rows>
    </DataList>
  )
}
