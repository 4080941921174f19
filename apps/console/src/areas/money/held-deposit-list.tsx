import { HELD_STATES, type HeldDeposit } from '@sum28/contract/staff-money-routes.ts'
import { DataTable, useRecordContext, useTranslate } from 'react-admin'
import { DecideReturn } from '#src/areas/money/decide-return.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Moment } from '#src/parts/moment.tsx'
import { Money } from '#src/parts/money.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { searchFilter } from '#src/parts/search-filter.tsx'
import { StateChip } from '#src/parts/state-chip.tsx'
import { stateFilter } from '#src/parts/state-filter.tsx'

const FILTERS = [
  searchFilter('areas.money.searchHeldDeposits'),
  stateFilter(HELD_STATES, 'areas.money.heldState'),
]

/** Deposits that came against a limit, an exclusion or a review. */
export function HeldDepositList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'id', order: 'DESC' }} refreshMs={15_000}>
      <Rows opens>
        <DataTable.Col source="id" />
        <DataTable.Col source="username" disableSort />
        <DataTable.Col source="quantity" disableSort align="right">
          <Money source="quantity" />
        </DataTable.Col>
        <DataTable.Col source="because" disableSort>
          <Because />
        </DataTable.Col>
        <DataTable.Col source="held_at" disableSort>
          <Moment source="held_at" />
        </DataTable.Col>
        <DataTable.Col source="state" disableSort>
          <StateChip
            source="state"
            texts="areas.money.heldState"
            tones={{ held: 'warning', returning: 'warning', released: 'success' }}
          />
        </DataTable.Col>
        <DataTable.Col label="console.actions" disableSort>
          <Decide />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

function Because() {
  const translate = useTranslate()
  const because = useRecordContext<HeldDeposit>()?.because
  return because ? translate(`areas.money.because.${because}`) : null
}

function Decide() {
  const deposit = useRecordContext<HeldDeposit>()
  return deposit ? <DecideReturn deposit={deposit} /> : null
}
