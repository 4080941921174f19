import {
  UNMATCHED_STATES,
  type WireUnmatchedTransfer,
} from '@sum28/contract/staff-transfer-routes.ts'
import { DataTable } from 'react-admin'
import { Link } from 'react-router'
import { Transaction } from '#src/areas/money/transaction.tsx'
import { DecideTransfer } from '#src/areas/money/unmatched-transfer-show.tsx'
import { MoneyCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter, stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { Moment } from '#src/parts/values.tsx'

const FILTERS = [
  searchFilter('areas.money.searchTransfers'),
  stateFilter(UNMATCHED_STATES, 'areas.money.state'),
]

/** Transfers of USDT to an address of the operator that belonged to no member. */
export function UnmatchedTransferList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'block', order: 'DESC' }} refreshMs={15_000}>
      <Rows opens>
        <DataTable.Col
          source="tx_id"
          disableSort
          render={({ tx_id: tx, log_index: log }: WireUnmatchedTransfer) => (
            <Link to={`/unmatched-transfers/${tx}-${log}/show`}>
              <Transaction />
            </Link>
          )}
        />
        <MoneyCol source="quantity" />
        <DataTable.Col source="block" label="resources.unmatched-transfers.fields.createtime">
          <Moment source="createtime" />
        </DataTable.Col>
        <StateCol
          source="state"
          texts="areas.money.state"
          tones={{ waiting: 'warning', proposed: 'warning', assigned: 'success' }}
        />
        <DataTable.Col
          source="proposal"
          disableSort
          render={({ username, reason, proposed_by: by }: WireUnmatchedTransfer) =>
            [username, reason, by].filter(Boolean).join(' · ')
          }
        />
        <DataTable.Col
          label="console.actions"
          disableSort
          render={(transfer: WireUnmatchedTransfer) => <DecideTransfer transfer={transfer} />}
        />
      </Rows>
    </DataList>
  )
}
