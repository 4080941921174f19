import { Alert, Box } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { auditChain, auditNames, type WireAuditRow } from '@sum28/contract/staff-audit-routes.ts'
import { AutocompleteInput, DateInput, SelectInput, TextInput, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { factsOf, subjectPath } from '#src/areas/staff/audit-facts.ts'
import { useReply } from '#src/data/use-reply.ts'
import { Col, MomentCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Rows } from '#src/parts/rows.tsx'

/** Names of the log in words: `withdrawal_approved` is "withdrawal approved". */
function inWords(names: readonly string[] = []) {
  return names.map((id) => ({ id, name: id.replaceAll('_', ' ') }))
}

const filtersOf = (names?: ReplyOf<typeof auditNames>) => [
  <TextInput key="staff" source="staff" label="areas.staff.who" sx={{ width: '9rem' }} alwaysOn />,
  <AutocompleteInput
    key="what"
    source="what"
    label="areas.staff.what"
    choices={inWords(names?.actions)}
    translateChoice={false}
    sx={{ width: '16rem' }}
    alwaysOn
  />,
  <SelectInput
    key="kind"
    source="subject_kind"
    label="areas.staff.subject"
    choices={inWords(names?.subjects)}
    translateChoice={false}
    alwaysOn
  />,
  <TextInput
    key="id"
    source="subject_id"
    label="areas.staff.subjectId"
    sx={{ width: '9rem' }}
    alwaysOn
  />,
  <DateInput key="from" source="from_day" label="areas.staff.fromDay" alwaysOn />,
  <DateInput key="until" source="until_day" label="areas.staff.untilDay" alwaysOn />,
]

/** The actions of staff, newest first, and whether the log is intact. */
export function AuditList() {
  const { data: names } = useReply(auditNames, {})
  return (
    <>
      <Chain />
      <DataList filters={filtersOf(names)}>
        <Rows>
          <Col sorts source="id" />
          <MomentCol source="at" />
          <Col source="staff" render={(row: WireAuditRow) => <Who row={row} />} />
          <Col source="action" render={({ action }: WireAuditRow) => action.replaceAll('_', ' ')} />
          <Col
            source="subject"
            sx={{ minWidth: '7rem', overflowWrap: 'anywhere' }}
            render={({ subject, subject_name: name }: WireAuditRow) => (
              <AuditSubject subject={subject} name={name} />
            )}
          />
          <Col source="from" />
          <Col
            source="details"
            render={({ details }: WireAuditRow) => <AuditDetails details={details} />}
          />
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

function Who({ row }: { row: WireAuditRow }) {
  const translate = useTranslate()
  return row.staff ?? translate('areas.staff.machine')
}

/** What it was done to, by its name or else its number, with a link to its page. */
export function AuditSubject({ subject, name = null }: { subject: string; name?: string | null }) {
  const [kind = '', ...id] = subject.split(':')
  const text = [kind.replaceAll('_', ' '), ...(name === null ? id : [name])].join(' ')
  const path = subjectPath(subject)
  return path === null ? text : <Link to={path}>{text}</Link>
}

/** The further facts of a row, each with its name; of a change what was before and what is after. */
export function AuditDetails({ details }: { details: Record<string, unknown> }) {
  const facts = factsOf(details)
  return (
    <Box component="dl" sx={{ margin: 0, minWidth: '11rem' }}>
      {facts.map(({ field, before, after }) => (
        <Box key={field} sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1 }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {field}
          </Box>
          <Box component="dd" sx={{ margin: 0, overflowWrap: 'anywhere' }}>
            {before !== undefined && (
              <>
                <del>{before}</del> →{' '}
              </>
            )}
            {after}
          </Box>
        </Box>
      ))}
    </Box>
  )
}
