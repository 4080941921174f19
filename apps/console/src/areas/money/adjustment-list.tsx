import { Stack, Typography } from '@mui/material'
import {
  ADJUSTMENT_KINDS,
  ADJUSTMENT_STATES,
  type Adjustment,
  adjustmentLimits,
} from '@sum28/contract/staff-adjustment-routes.ts'
import { DataTable, SelectInput, TopToolbar, useRecordContext, useTranslate } from 'react-admin'
import {
  AdjustedMoney,
  DecideAdjustment,
  ProposeAdjustment,
} from '#src/areas/money/adjustment-parts.tsx'
import { useSession } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActorAndTime } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter, stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { MoneyText, StateChip } from '#src/parts/values.tsx'

const FILTERS = [
  searchFilter('areas.money.searchAdjustments'),
  stateFilter(ADJUSTMENT_STATES, 'areas.money.adjustmentState'),
  <SelectInput
    key="kind"
    source="kind"
    choices={ADJUSTMENT_KINDS.map((id) => ({ id, name: `areas.money.adjustmentKind.${id}` }))}
    label="areas.money.adjustmentKindLabel"
    alwaysOn
  />,
]

/** Bonuses and corrections: one person proposes, another confirms. */
export function AdjustmentList() {
  return (
    <DataList
      filters={FILTERS}
      sort={{ field: 'id', order: 'DESC' }}
      actions={<Propose />}
      refreshMs={15_000}
    >
      <OwnLimit />
      <Rows opens>
        <DataTable.Col source="id" />
        <DataTable.Col source="username" disableSort />
        <DataTable.Col source="quantity" disableSort align="right">
          <Quantity />
          <Kind />
        </DataTable.Col>
        <DataTable.Col source="reason" disableSort sx={{ minWidth: '10rem' }} />
        <DataTable.Col source="proposed_at" disableSort>
          <ActorAndTime by="proposed_by" at="proposed_at" />
        </DataTable.Col>
        <DataTable.Col source="state" disableSort>
          <Stack sx={{ gap: 1, alignItems: 'start' }}>
            <StateChip
              source="state"
              texts="areas.money.adjustmentState"
              tones={{ proposed: 'warning', confirmed: 'success', refused: 'error' }}
            />
            <Decide />
          </Stack>
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

function Propose() {
  return (
    <TopToolbar>
      <ProposeAdjustment />
    </TopToolbar>
  )
}

/** The limits of the user's own role. */
function OwnLimit() {
  const translate = useTranslate()
  const role = useSession()?.role
  const { data } = useReply(adjustmentLimits, {})
  const own = data?.list.find((limit) => limit.role === role)
  if (!own) return null
  return (
    <Typography variant="body2" color="textSecondary" sx={{ paddingBlock: 1 }}>
      {translate('areas.money.adjustmentLimit')} <MoneyText value={own.quantity} />
    </Typography>
  )
}

function Quantity() {
  const adjustment = useRecordContext<Adjustment>()
  return adjustment ? <AdjustedMoney adjustment={adjustment} /> : null
}

function Kind() {
  const translate = useTranslate()
  const kind = useRecordContext<Adjustment>()?.kind
  return kind ? (
    <Typography variant="caption" color="textSecondary" component="div">
      {translate(`areas.money.adjustmentKind.${kind}`)}
    </Typography>
  ) : null
}

function Decide() {
  const adjustment = useRecordContext<Adjustment>()
  return adjustment ? <DecideAdjustment adjustment={adjustment} /> : null
}
