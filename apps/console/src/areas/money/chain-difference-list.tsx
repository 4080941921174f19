import { DataTable } from 'react-admin'
import { DataList } from '#src/parts/data-list.tsx'
import { Moment } from '#src/parts/moment.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/state-chip.tsx'

/** What the daily comparison of chain and ledger found. */
export function ChainDifferenceList() {
  return (
    <DataList>
      <Rows>
        <DataTable.Col source="id" disableSort />
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
