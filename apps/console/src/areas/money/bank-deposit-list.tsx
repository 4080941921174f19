import { Stack } from '@mui/material'
import {
  confirmBankDeposit,
  recordBankDeposit,
  refuseBankDeposit,
  type StaffBankDeposit,
} from '@sum28/contract/staff-routes.ts'
import { DataTable, TopToolbar, useRecordContext, useTranslate } from 'react-admin'
import { ActionButton } from '#src/parts/action-button.tsx'
import { MomentCol, MoneyCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter, stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { MoneyText } from '#src/parts/values.tsx'

const FILTERS = [
  searchFilter('areas.money.searchBankDeposits'),
  stateFilter(['recorded', 'confirmed', 'refused'], 'areas.money.state'),
]

/** Bank deposits: one person records, another confirms, and a third above the limits of adjustments. */
export function BankDepositList() {
  return (
    <DataList
      filters={FILTERS}
      sort={{ field: 'id', order: 'DESC' }}
      actions={<Record />}
      refreshMs={15_000}
    >
      <Rows>
        <DataTable.Col source="id" />
        <DataTable.Col source="username" disableSort />
        <MoneyCol source="quantity" />
        <DataTable.Col source="reference" disableSort />
        <DataTable.Col source="other_than" disableSort />
        <DataTable.Col source="recorded_by" disableSort />
        <MomentCol source="recorded_at" />
        <DataTable.Col source="first_confirmed_by" disableSort />
        <StateCol
          source="state"
          texts="areas.money.state"
          tones={{ recorded: 'warning', confirmed: 'success', refused: 'error' }}
        />
        <DataTable.Col label="console.actions" disableSort>
          <Decide />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

/** Which deposit has the same reference: typed by both persons, who have compared the two. */
const OTHER_THAN = {
  name: 'other_than',
  label: 'areas.money.otherThan',
  hint: 'areas.money.otherThanHint',
} as const

function Record() {
  return (
    <TopToolbar>
      <ActionButton
        route={recordBankDeposit}
        request={{}}
        label="areas.money.record"
        done="areas.money.recorded"
        fields={[
          { name: 'user_id', label: 'areas.money.playerId' },
          { name: 'money', label: 'areas.money.amount' },
          { name: 'reference', label: 'areas.money.bankReference' },
          { ...OTHER_THAN, optional: true },
        ]}
      />
    </TopToolbar>
  )
}

function Decide() {
  const translate = useTranslate()
  const record = useRecordContext<StaffBankDeposit>()
  if (record?.state !== 'recorded') return record?.decided_by ?? null
  const { id, username, quantity, other_than, first_confirmed_by: first } = record
  const what = (
    <>
      {username}: <MoneyText value={quantity} />
      {first && <p>{translate('areas.money.firstConfirmed', { name: first })}</p>}
    </>
  )
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      <ActionButton
        route={confirmBankDeposit}
        request={{ id }}
        label="areas.money.confirm"
        done="areas.money.depositConfirmed"
        fields={other_than === null ? [] : [OTHER_THAN]}
      >
        {what}
        {other_than !== null && <div>{translate('areas.money.sameReference', { other_than })}</div>}
      </ActionButton>
      <ActionButton
        route={refuseBankDeposit}
        request={{ id }}
        label="areas.money.refuse"
        done="areas.money.refused"
        tone="error"
        fields={[{ name: 'reason', label: 'areas.money.reason', long: true }]}
      >
        {what}
      </ActionButton>
    </Stack>
  )
}
