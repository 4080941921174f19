import {
  approveWithdrawal,
  RISK_HINTS,
  type StaffWithdrawal,
} from '@sum28/contract/staff-routes.ts'
import { WITHDRAWAL_STATES } from '@sum28/contract/withdrawal-states.ts'
import { DateInput, TextInput } from 'react-admin'
import { ApproveChosen } from '#src/areas/money/approve-chosen.tsx'
import { HintKinds, ObstacleMarks, PayeeText } from '#src/areas/money/withdrawal-hints.tsx'
import { Approvals, DecideWithdrawal, mayApprove } from '#src/areas/money/withdrawal-parts.tsx'
import { useIsRejected } from '#src/data/held-calls.ts'
import { ActorAndTime, Col, LinkCol, MoneyCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { choiceFilter, searchFilter, stateFilter, turnFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/values.tsx'

const NARROW = { width: '9rem' }

const FILTERS = [
  searchFilter('areas.money.searchWithdrawals'),
  stateFilter(WITHDRAWAL_STATES, 'areas.money.state'),
  turnFilter(),
  choiceFilter('hint', [...RISK_HINTS, 'none'], 'areas.money.hintKind', 'areas.money.hintLabel'),
  choiceFilter('kind', ['bank', 'wallet'], 'areas.money.method', 'areas.money.methodLabel'),
  <TextInput key="from" source="amount_from" label="areas.money.amountFrom" sx={NARROW} />,
  <TextInput key="until" source="amount_until" label="areas.money.amountUntil" sx={NARROW} />,
  <DateInput key="first" source="from_day" label="areas.money.fromDay" />,
  <DateInput key="last" source="until_day" label="areas.money.untilDay" />,
]

const TONES = {
  waiting: 'warning',
  to_pay: 'warning',
  payout_wrong: 'error',
  paid: 'success',
  reversing: 'warning',
  rejected: 'error',
} as const

/** Withdrawals, the oldest open first: approve, also several small ones at once, reject, record the payout. */
export function WithdrawalList() {
  const isRejected = useIsRejected()
  return (
    <DataList filters={FILTERS} sort={{ field: 'queue', order: 'ASC' }} refreshMs={15_000}>
      <Rows
        opens
        bulk={<ApproveChosen />}
        selectable={(record: StaffWithdrawal) =>
          mayApprove(record) &&
          !record.two_persons &&
          record.requested_by === null &&
          !isRejected(approveWithdrawal, { id: record.id })
        }
      >
        <LinkCol sorts />
        <Col
          source="username"
          label="areas.money.playerAndTime"
          sx={{ minWidth: '11rem', overflowWrap: 'anywhere' }}
        >
          <ActorAndTime by="username" at="requested_at" />
        </Col>
        <MoneyCol source="quantity" />
        <Col
          source="state"
          render={(record: StaffWithdrawal) => (
            <>
              <StateChip source="state" texts="areas.money.state" tones={TONES} />
              <Approvals withdrawal={record} />
              <ObstacleMarks withdrawal={record} />
            </>
          )}
        />
        <Col
          source="payee"
          render={(record: StaffWithdrawal) => <PayeeText payee={record.payee} short />}
        />
        <Col
          source="risks"
          render={(record: StaffWithdrawal) => <HintKinds withdrawal={record} />}
        />
        <Col
          label="console.actions"
          render={(record: StaffWithdrawal) => <DecideWithdrawal withdrawal={record} />}
        />
      </Rows>
    </DataList>
  )
}
