import { Stack } from '@mui/material'
import {
  approveWithdrawal,
  recordPayout,
  rejectWithdrawal,
  type StaffWithdrawal,
} from '@sum28/contract/staff-routes.ts'
import { DataTable, useRecordContext, useTranslate } from 'react-admin'
import { stateFilter } from '#src/areas/money/state-filter.tsx'
import { ActionButton } from '#src/parts/action-button.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Moment } from '#src/parts/moment.tsx'
import { Money, MoneyText } from '#src/parts/money.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/state-chip.tsx'

const FILTERS = [stateFilter(['waiting', 'approved', 'rejected'])]

/** Withdrawals, oldest waiting first: approve, reject, record the payout. */
export function WithdrawalList() {
  return (
    <DataList filters={FILTERS} refreshMs={15_000}>
      <Rows>
        <DataTable.Col source="id" disableSort />
        <DataTable.Col source="username" disableSort />
        <DataTable.Col source="quantity" disableSort align="right">
          <Money source="quantity" />
        </DataTable.Col>
        <DataTable.Col source="payee" disableSort>
          <Payee />
        </DataTable.Col>
        <DataTable.Col source="requested_at" disableSort>
          <Moment source="requested_at" />
        </DataTable.Col>
        <DataTable.Col source="state" disableSort>
          <StateChip
            source="state"
            texts="areas.money.state"
            tones={{ waiting: 'warning', approved: 'success', rejected: 'error' }}
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
  if (!record) return null
  const { label, bank_name: bank, number } = record.payee
  return (
    <>
      {[label, bank].filter(Boolean).join(', ')} <span className="num">{number}</span>
    </>
  )
}

function Decide() {
  const translate = useTranslate()
  const record = useRecordContext<StaffWithdrawal>()
  if (!record) return null
  const { id, username, state, two_persons: two, first_approved_by: first } = record
  const what = (
    <>
      {username}: <MoneyText value={record.quantity} />
      {two && (
        <p>{translate(first ? 'areas.money.secondOf' : 'areas.money.two', { name: first })}</p>
      )}
    </>
  )
  if (state === 'waiting') {
    return (
      <Stack direction="row" sx={{ gap: 1 }}>
        {!record.frozen && (
          <ActionButton
            route={approveWithdrawal}
            request={{ id }}
            label="areas.money.approve"
            done="areas.money.approved"
          >
            {what}
          </ActionButton>
        )}
        <ActionButton
          route={rejectWithdrawal}
          request={{ id }}
          label="areas.money.reject"
          done="areas.money.rejected"
          tone="error"
          fields={[
            { name: 'reason', label: 'areas.money.reason', hint: 'areas.money.seen', long: true },
          ]}
        >
          {what}
        </ActionButton>
      </Stack>
    )
  }
  if (state === 'approved' && record.payout_reference === null) {
    return (
      <ActionButton
        route={recordPayout}
        request={{ id }}
        label="areas.money.pay"
        done="areas.money.paid"
        fields={[{ name: 'reference', label: 'areas.money.reference' }]}
      >
        {what}
      </ActionButton>
    )
  }
  return <span className="num">{record.payout_reference ?? ''}</span>
}
