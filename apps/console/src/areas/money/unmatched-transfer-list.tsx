import { Button, Stack } from '@mui/material'
import {
  assignTransfer,
  dismissTransfer,
  reopenTransfer,
  UNMATCHED_STATES,
  type WireUnmatchedTransfer,
} from '@sum28/contract/staff-transfer-routes.ts'
import { DataTable, useRecordContext, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { Transaction } from '#src/areas/money/transaction.tsx'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { MoneyCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter, stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { Moment } from '#src/parts/values.tsx'

const FILTERS = [
  searchFilter('areas.money.searchTransfers'),
  stateFilter(UNMATCHED_STATES, 'areas.money.state'),
]

const REASON: ActionField = { name: 'reason', label: 'areas.money.reason', long: true }

/** Transfers of USDT to an address of the operator that belonged to no member. */
export function UnmatchedTransferList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'block', order: 'DESC' }} refreshMs={15_000}>
      <Rows>
        <DataTable.Col source="tx_id" disableSort>
          <Transaction />
        </DataTable.Col>
        <MoneyCol source="quantity" />
        <DataTable.Col source="block" label="resources.unmatched-transfers.fields.createtime">
          <Moment source="createtime" />
        </DataTable.Col>
        <StateCol
          source="state"
          texts="areas.money.state"
          tones={{ waiting: 'warning', proposed: 'warning', assigned: 'success' }}
        />
        <DataTable.Col source="proposal" disableSort>
          <Assignment />
        </DataTable.Col>
        <DataTable.Col label="console.actions" disableSort>
          <Decide />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

function Assignment() {
  const transfer = useRecordContext<WireUnmatchedTransfer>()
  if (!transfer) return null
  const { username, reason, proposed_by: by } = transfer
  return [username, reason, by].filter(Boolean).join(' · ')
}

function Decide() {
  const translate = useTranslate()
  const record = useRecordContext<WireUnmatchedTransfer>()
  if (!record) return null
  const { tx_id, log_index, state } = record
  const key = { tx_id, log_index }
  const about = encodeURIComponent(JSON.stringify({ subject: `transfer:${tx_id}:${log_index}` }))
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      {state === 'waiting' && (
        <ActionButton
          route={assignTransfer}
          request={key}
          label="areas.money.assign"
          done="areas.money.proposed"
          fields={[
            { name: 'user_id', label: 'areas.money.playerId' },
            { name: 'note', label: 'areas.money.evidence', long: true },
          ]}
        />
      )}
      {state === 'proposed' && (
        <Button component={Link} to={`/proposals?filter=${about}`}>
          {translate('areas.proposals.decide')}
        </Button>
      )}
      {(state === 'waiting' || state === 'proposed') && (
        <ActionButton
          route={dismissTransfer}
          request={key}
          label="areas.money.dismiss"
          done="areas.money.dismissed"
          tone="error"
          fields={[REASON]}
        />
      )}
      {state === 'dismissed' && (
        <ActionButton
          route={reopenTransfer}
          request={key}
          label="areas.money.reopen"
          done="areas.money.reopened"
          fields={[REASON]}
        />
      )}
    </Stack>
  )
}
