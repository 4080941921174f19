import { Alert, Box } from '@mui/material'
import { auditChain, type WireAuditRow } from '@sum28/contract/staff-audit-routes.ts'
import { DataTable, DateInput, TextInput, useRecordContext, useTranslate } from 'react-admin'
import { useReply } from '#src/data/use-reply.ts'
import { MomentCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Rows } from '#src/parts/rows.tsx'

const FILTERS = [
  <TextInput key="staff" source="staff" label="areas.staff.who" sx={{ width: '11rem' }} alwaysOn />,
  <TextInput key="what" source="what" label="areas.staff.what" sx={{ width: '11rem' }} alwaysOn />,
  <TextInput
    key="subject"
    source="subject"
    label="areas.staff.subject"
    sx={{ width: '17rem' }}
    alwaysOn
  />,
  <DateInput key="from" source="from_day" label="areas.staff.fromDay" alwaysOn />,
  <DateInput key="until" source="until_day" label="areas.staff.untilDay" alwaysOn />,
]

/** The actions of staff, newest first, and whether the log is intact. */
export function AuditList() {
  return (
    <>
      <Chain />
      <DataList filters={FILTERS} sort={{ field: 'id', order: 'DESC' }}>
        <Rows>
          <DataTable.Col source="id" />
          <MomentCol source="at" />
          <DataTable.Col source="staff" disableSort>
            <Who />
          </DataTable.Col>
          <DataTable.Col source="action" disableSort />
          <DataTable.Col source="subject" disableSort />
          <DataTable.Col source="from" disableSort />
          <DataTable.Col source="details" disableSort>
            <Details />
          </DataTable.Col>
        </Rows>
      </DataList>
    </>
  )
}

function Chain() {
  const translate = useTranslate()
  const answer = useReply(auditChain, {})
  return (
    <Box sx={{ paddingTop: 2 }}>
      <Loaded answer={answer}>
        {({ rows, broken_at: row }) =>
          row === null ? (
            <Alert severity="success">{translate('areas.staff.chainWhole', { rows })}</Alert>
          ) : (
            <Alert severity="error">{translate('areas.staff.chainBroken', { row })}</Alert>
          )
        }
      </Loaded>
    </Box>
  )
}

function Who() {
  const translate = useTranslate()
  return useRecordContext<WireAuditRow>()?.staff ?? translate('areas.staff.machine')
}

/** The further facts of a row, each with its name. */
function Details() {
  const details = useRecordContext<WireAuditRow>()?.details ?? {}
  return (
    <Box component="dl" sx={{ margin: 0, minWidth: '11rem' }}>
      {Object.entries(details).map(([name, fact]) => (
        <Box key={name} sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1 }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {name}
          </Box>
          <Box component="dd" sx={{ margin: 0, overflowWrap: 'anywhere' }}>
            {typeof fact === 'string' ? fact : JSON.stringify(fact)}
          </Box>
        </Box>
      ))}
    </Box>
  )
}
