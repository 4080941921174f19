import { BATCH_STATES, makeBankBatch } from '@sum28/contract/staff-bank-routes.ts'
import { DataTable, TopToolbar, useTranslate } from 'react-admin'
import { ActionButton } from '#src/parts/action-button.tsx'
import { MomentCol, MoneyCol, NumberCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter, stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'

const FILTERS = [
  searchFilter('areas.money.searchBatches'),
  stateFilter(BATCH_STATES, 'areas.money.batchState'),
]

const BATCH_TONES = { open: 'warning', done: 'success' } as const

/** Batches for the bank, and for the operator's wallet. */
export function BankBatchList() {
  return (
    <DataList
      filters={FILTERS}
      sort={{ field: 'id', order: 'DESC' }}
      actions={<Make />}
      refreshMs={15_000}
    >
      <Rows opens>
        <NumberCol />
        <StateCol source="kind" texts="areas.money.batchKind" tones={{}} />
        <DataTable.Col source="payments" disableSort align="right" />
        <MoneyCol source="quantity" />
        <DataTable.Col source="paid" disableSort align="right" />
        <DataTable.Col source="failed" disableSort align="right" />
        <DataTable.Col source="made_by" disableSort />
        <MomentCol source="made_at" />
        <StateCol source="state" texts="areas.money.batchState" tones={BATCH_TONES} />
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
      <ActionButton
        route={makeBankBatch}
        request={{ kind: 'wallet' }}
        label="areas.money.makeWalletBatch"
        done="areas.money.batchMade"
      >
        {translate('areas.money.makeWalletBatchSays')}
      </ActionButton>
    </TopToolbar>
  )
}
