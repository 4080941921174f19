import { BATCH_STATES, makeBankBatch } from '@sum28/contract/staff-bank-routes.ts'
import { DataTable, TopToolbar, useTranslate } from 'react-admin'
import { ActionButton } from '#src/parts/action-button.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Moment } from '#src/parts/moment.tsx'
import { Money } from '#src/parts/money.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { searchFilter } from '#src/parts/search-filter.tsx'
import { StateChip } from '#src/parts/state-chip.tsx'
import { stateFilter } from '#src/parts/state-filter.tsx'

const FILTERS = [
  searchFilter('areas.money.searchBatches'),
  stateFilter(BATCH_STATES, 'areas.money.batchState'),
]

const BATCH_TONES = { open: 'warning', done: 'success' } as const

/** Batches for the bank. */
export function BankBatchList() {
  return (
    <DataList
      filters={FILTERS}
      sort={{ field: 'id', order: 'DESC' }}
      actions={<Make />}
      refreshMs={15_000}
    >
      <Rows opens>
        <DataTable.Col source="id" />
        <DataTable.Col source="payments" disableSort align="right" />
        <DataTable.Col source="quantity" disableSort align="right">
          <Money source="quantity" />
        </DataTable.Col>
        <DataTable.Col source="paid" disableSort align="right" />
        <DataTable.Col source="failed" disableSort align="right" />
        <DataTable.Col source="made_by" disableSort />
        <DataTable.Col source="made_at" disableSort>
          <Moment source="made_at" />
        </DataTable.Col>
        <DataTable.Col source="state" disableSort>
          <StateChip source="state" texts="areas.money.batchState" tones={BATCH_TONES} />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

function Make() {
  const translate = useTranslate()
  return (
    <TopToolbar>
      <ActionButton
        route={makeBankBatch}
        request={{}}
        label="areas.money.makeBatch"
        done="areas.money.batchMade"
      >
        {translate('areas.money.makeBatchSays')}
      </ActionButton>
    </TopToolbar>
  )
}
