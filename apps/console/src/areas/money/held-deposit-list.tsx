import { HELD_STATES, type HeldDeposit } from '@sum28/contract/staff-money-routes.ts'
import { DataTable, useRecordContext, useTranslate } from 'react-admin'
import { ProposeRefund } from '#src/areas/money/propose-refund.tsx'
import { MomentCol, MoneyCol, NumberCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { dueFilter, searchFilter, stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'

const FILTERS = [
  searchFilter('areas.money.searchHeldDeposits'),
  stateFilter(HELD_STATES, 'areas.money.heldState'),
  dueFilter('areas.money.refundDue'),
]

/** Deposits that came against a limit, an exclusion or a review. */
export function HeldDepositList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'id', order: 'DESC' }} refreshMs={15_000}>
      <Rows opens>
        <NumberCol />
        <DataTable.Col source="username" disableSort />
        <MoneyCol source="quantity" />
        <DataTable.Col source="because" disableSort>
          <Because />
        </DataTable.Col>
        <MomentCol source="held_at" />
        <StateCol
          source="state"
          texts="areas.money.heldState"
          tones={{ held: 'warning', refunding: 'warning', released: 'success' }}
        />
        <DataTable.Col
          label="console.actions"
          disableSort
          render={(deposit: HeldDeposit) => <ProposeRefund deposit={deposit} />}
        />
      </Rows>
    </DataList>
  )
}

function Because() {
  const translate = useTranslate()
  const because = useRecordContext<HeldDeposit>()?.because
  return because ? translate(`areas.money.because.${because}`) : null
}
