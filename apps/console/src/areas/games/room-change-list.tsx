import { ROOM_CHANGE_STATES, type RoomChange } from '@sum28/contract/staff-games-routes.ts'
import { DataTable, TextInput, useRecordContext } from 'react-admin'
import { ChangeLines, DecideChange } from '#src/areas/games/change-parts.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Moment } from '#src/parts/moment.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/state-chip.tsx'
import { stateFilter } from '#src/parts/state-filter.tsx'

const FILTERS = [
  <TextInput key="room_id" source="room_id" label="areas.games.roomNumber" alwaysOn />,
  stateFilter(ROOM_CHANGE_STATES, 'areas.games.changeState'),
]

/** Every change of limits and odds: those pending a decision, and the history. */
export function RoomChangeList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'id', order: 'DESC' }} refreshMs={15_000}>
      <Rows>
        <DataTable.Col source="id" />
        <DataTable.Col source="room_id" disableSort />
        <DataTable.Col source="title" disableSort />
        <DataTable.Col label="areas.games.changes" disableSort>
          <Lines />
        </DataTable.Col>
        <DataTable.Col source="note" disableSort />
        <DataTable.Col source="proposed_by" disableSort />
        <DataTable.Col source="proposed_at" disableSort>
          <Moment source="proposed_at" />
        </DataTable.Col>
        <DataTable.Col source="state" disableSort>
          <StateChip
            source="state"
            texts="areas.games.changeState"
            tones={{ proposed: 'warning', confirmed: 'warning', effective: 'success' }}
          />
        </DataTable.Col>
        <DataTable.Col source="confirmed_by" disableSort />
        <DataTable.Col source="ended_by" disableSort />
        <DataTable.Col source="effective_issue" disableSort />
        <DataTable.Col source="effective_at" disableSort>
          <Moment source="effective_at" />
        </DataTable.Col>
        <DataTable.Col label="console.actions" disableSort>
          <Decide />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

function Lines() {
  const change = useRecordContext<RoomChange>()
  return change ? <ChangeLines change={change} /> : null
}

function Decide() {
  const change = useRecordContext<RoomChange>()
  return change ? <DecideChange change={change} /> : null
}
