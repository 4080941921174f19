import { Chip } from '@mui/material'
import type { StaffWithdrawal } from '@sum28/contract/staff-routes.ts'
import { WITHDRAWAL_STATES } from '@sum28/contract/withdrawal-states.ts'
import { DataTable, useRecordContext, useTranslate } from 'react-admin'
import { DecideWithdrawal } from '#src/areas/money/decide-withdrawal.tsx'
import { PayeeText } from '#src/areas/money/payee-text.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Moment } from '#src/parts/moment.tsx'
import { Money } from '#src/parts/money.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { searchFilter } from '#src/parts/search-filter.tsx'
import { StateChip } from '#src/parts/state-chip.tsx'
import { stateFilter } from '#src/parts/state-filter.tsx'

const FILTERS = [
  searchFilter('areas.money.searchWithdrawals'),
  stateFilter(WITHDRAWAL_STATES, 'areas.money.state'),
]

/** Withdrawals, the oldest pending first: approve, reject, record the payout. */
export function WithdrawalList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'queue', order: 'ASC' }} refreshMs={15_000}>
      <Rows opens>
        <DataTable.Col source="id" />
        <DataTable.Col source="username" disableSort />
        <DataTable.Col source="quantity" disableSort align="right">
          <Money source="quantity" />
        </DataTable.Col>
        <DataTable.Col source="payee" disableSort>
          <Payee />
        </DataTable.Col>
        <DataTable.Col source="risks" disableSort>
          <Hints />
        </DataTable.Col>
        <DataTable.Col source="requested_at" disableSort>
          <Moment source="requested_at" />
        </DataTable.Col>
        <DataTable.Col source="state" disableSort>
          <StateChip
            source="state"
            texts="areas.money.state"
            tones={{
              waiting: 'warning',
              approved: 'success',
              returning: 'warning',
              rejected: 'error',
            }}
          />
        </DataTable.Col>
        <DataTable.Col label="console.actions" disableSort>
          <Decide />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

function Payee() {
  const record = useRecordContext<StaffWithdrawal>()
  return record ? <PayeeText payee={record.payee} /> : null
}

/** The number of risk hints of a pending withdrawal; its page shows them. */
function Hints() {
  const translate = useTranslate()
  const record = useRecordContext<StaffWithdrawal>()
  if (record?.state !== 'waiting') return null
  const count = record.risks.length
  if (count === 0) return '—'
  return (
    <Chip
      size="small"
      variant="outlined"
      color="warning"
      label={translate('areas.money.hintCount', { smart_count: count })}
    />
  )
}

function Decide() {
  const record = useRecordContext<StaffWithdrawal>()
  return record ? <DecideWithdrawal withdrawal={record} /> : null
}
