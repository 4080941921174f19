import { Alert, Box, Stack } from '@mui/material'
import {
  ACTIVITY_BY,
  type ActivityRow,
  DORMANT_AFTER_DAYS,
  reportChoices,
} from '@sum28/contract/staff-reports-routes.ts'
import { DataTable, DateInput, useTranslate } from 'react-admin'
import { Navigate, useSearchParams } from 'react-router'
import { addressOf, periodOf } from '#src/areas/reports/periods.ts'
import { PeriodButtons } from '#src/areas/reports/report-summary.tsx'
import { useZone } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { Col } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { choiceFilter } from '#src/parts/filters.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { dayText } from '#src/parts/values.tsx'

const PATH = '/activity'

const FILTERS = [
  choiceFilter('by', ACTIVITY_BY, 'areas.reports.activityBy', 'areas.reports.byLabel'),
  <DateInput key="begin" source="begin_date" label="areas.reports.begin" alwaysOn />,
  <DateInput key="end" source="end_date" label="areas.reports.end" alwaysOn />,
]

/** New, active and dormant players of each day, week or month. */
export function ActivityPage() {
  const choices = useReply(reportChoices, {})
  const [query] = useSearchParams()
  return (
    <Loaded answer={choices}>
      {({ today }) =>
        query.has('filter') ? (
          <DataList filters={FILTERS}>
            <Stack sx={{ gap: 2, paddingBlock: '8px 16px' }}>
              <PeriodButtons path={PATH} today={today} />
              <Meaning />
            </Stack>
            <Rows>
              <Col
                sorts
                source="id"
                label="areas.reports.days"
                render={(row: ActivityRow) => <Days row={row} />}
              />
              <DataTable.NumberCol source="new_players" disableSort />
              <DataTable.NumberCol source="active" disableSort />
              <DataTable.NumberCol source="turned_dormant" disableSort />
            </Rows>
          </DataList>
        ) : (
          <Navigate replace to={addressOf({ by: 'day', ...periodOf('thirty', today) }, PATH)} />
        )
      }
    </Loaded>
  )
}

/** What each figure counts, in a sentence. */
function Meaning() {
  const translate = useTranslate()
  const zone = useZone()
  return (
    <Alert severity="info">
      {translate('areas.reports.activityMeaning', { zone, days: DORMANT_AFTER_DAYS })}
    </Alert>
  )
}

/** The days of a row: one, or the first and the last. */
function Days({ row }: { row: ActivityRow }) {
  const { first_day: first, last_day: last } = row
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      {first === last ? dayText(first) : `${dayText(first)} – ${dayText(last)}`}
    </Box>
  )
}
