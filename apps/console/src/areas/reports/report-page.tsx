import { Box } from '@mui/material'
import { type ReportRow, reportChoices } from '@sum28/contract/staff-reports-routes.ts'
import { DataTable, useListContext, useRecordContext } from 'react-admin'
import { Link, Navigate, useSearchParams } from 'react-router'
import { addressOf, periodOf, USUAL } from '#src/areas/reports/periods.ts'
import { reportFilters } from '#src/areas/reports/report-filters.tsx'
import { ReportSummary } from '#src/areas/reports/report-summary.tsx'
import { ReturnText } from '#src/areas/reports/return-text.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { DataList } from '#src/parts/data-list.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Money } from '#src/parts/money.tsx'
import { Rows } from '#src/parts/rows.tsx'

/** A report: what it is asked by, the figures of the whole, and its rows. */
export function ReportPage() {
  const choices = useReply(reportChoices, {})
  const [query] = useSearchParams()
  return (
    <Loaded answer={choices}>
      {(told) =>
        query.has('filter') ? (
          <DataList filters={reportFilters(told)} sort={{ field: 'key', order: 'DESC' }}>
            <ReportSummary today={told.today} />
            <ReportRows />
          </DataList>
        ) : (
          <Navigate replace to={addressOf({ by: 'day', ...periodOf(USUAL, told.today) })} />
        )
      }
    </Loaded>
  )
}

function ReportRows() {
  const { filterValues } = useListContext()
  const by = String(filterValues.by ?? 'day')
  const hasMoney =
    (by === 'day' || by === 'player') &&
    !filterValues.game_id &&
    !filterValues.room_id &&
    filterValues.who !== 'robots'
  return (
    <Rows key={`${by} ${hasMoney}`}>
      <DataTable.Col source="key" label={`areas.reports.by.${by}`}>
        <About />
      </DataTable.Col>
      <DataTable.NumberCol source="bets" disableSort />
      <DataTable.Col source="turnover" align="right">
        <Money source="turnover" />
      </DataTable.Col>
      <DataTable.Col source="payouts" align="right">
        <Money source="payouts" />
      </DataTable.Col>
      <DataTable.Col source="result" align="right">
        <Money source="result" />
      </DataTable.Col>
      <DataTable.Col source="return" align="right">
        <Return />
      </DataTable.Col>
      {hasMoney && (
        <DataTable.Col source="deposits" align="right">
          <Money source="deposits" />
        </DataTable.Col>
      )}
      {hasMoney && (
        <DataTable.Col source="withdrawals" align="right">
          <Money source="withdrawals" />
        </DataTable.Col>
      )}
      {hasMoney && (
        <DataTable.Col source="adjustments" align="right">
          <Money source="adjustments" />
        </DataTable.Col>
      )}
    </Rows>
  )
}

/** What a row is about; a player's leads to his page. */
function About() {
  const row = useRecordContext<ReportRow>()
  if (!row) return null
  if (row.username !== null) return <Link to={`/players/${row.id}/show`}>{row.username}</Link>
  if (row.day !== null)
    return (
      <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
        {row.day}
      </Box>
    )
  return [row.game, row.room].filter((name) => name !== null).join(' · ')
}

function Return() {
  const row = useRecordContext<ReportRow>()
  return row ? <ReturnText figures={row} short /> : null
}
