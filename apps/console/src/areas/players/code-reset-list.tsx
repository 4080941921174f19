import { CODE_RESET_STATES, type CodeReset } from '@sum28/contract/staff-reset-routes.ts'
import { DataTable, useRecordContext } from 'react-admin'
import { Link } from 'react-router'
import { DecideCodeReset } from '#src/areas/players/code-reset-parts.tsx'
import { ActorAndTime, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter, stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'

const FILTERS = [
  searchFilter('areas.players.searchPlayer'),
  stateFilter(CODE_RESET_STATES, 'areas.players.resetState'),
]

/** Proposals to delete a security code: those pending a second person, and the history. */
export function CodeResetList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'id', order: 'DESC' }} refreshMs={30_000}>
      <Rows>
        <DataTable.Col
          source="username"
          disableSort
          render={(reset: CodeReset) => (
            <Link to={`/players/${reset.user_id}/show`}>{reset.username}</Link>
          )}
        />
        <DataTable.Col source="reason" disableSort sx={{ minWidth: '14rem' }} />
        <StateCol
          source="state"
          texts="areas.players.resetState"
          tones={{ proposed: 'warning', confirmed: 'success' }}
        />
        <DataTable.Col source="proposed_at" disableSort>
          <ActorAndTime by="proposed_by" at="proposed_at" />
        </DataTable.Col>
        <DataTable.Col source="decided_by" disableSort>
          <Decision />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

/** The decision and its author, or the buttons to decide. */
function Decision() {
  const reset = useRecordContext<CodeReset>()
  if (!reset) return null
  if (reset.state === 'proposed') return <DecideCodeReset reset={reset} />
  return [reset.end_reason, reset.decided_by].filter(Boolean).join(' · ')
}
