import { Chip } from '@mui/material'
import type { StaffWithdrawal } from '@sum28/contract/staff-routes.ts'
import { WITHDRAWAL_STATES } from '@sum28/contract/withdrawal-states.ts'
import { DataTable, useRecordContext, useTranslate } from 'react-admin'
import { DecideWithdrawal, PayeeText } from '#src/areas/money/withdrawal-parts.tsx'
import { MomentCol, MoneyCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter, stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'

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
        <MoneyCol source="quantity" />
        <DataTable.Col
          source="payee"
          disableSort
          render={(record: StaffWithdrawal) => <PayeeText payee={record.payee} />}
        />
        <DataTable.Col source="risks" disableSort>
          <Hints />
        </DataTable.Col>
        <MomentCol source="requested_at" />
        <StateCol
          source="state"
          texts="areas.money.state"
          tones={{
            waiting: 'warning',
            approved: 'success',
            reversing: 'warning',
            rejected: 'error',
          }}
        />
        <DataTable.Col
          label="console.actions"
          disableSort
          render={(record: StaffWithdrawal) => <DecideWithdrawal withdrawal={record} />}
        />
      </Rows>
    </DataList>
  )
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
