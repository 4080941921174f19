import { ROOM_CHANGE_STATES, type RoomChange } from '@sum28/contract/staff-games-routes.ts'
import { DataTable, TextInput } from 'react-admin'
import { ChangeLines, DecideChange } from '#src/areas/games/change-parts.tsx'
import { MomentCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'

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
        <DataTable.Col
          label="areas.games.changes"
          disableSort
          render={(change: RoomChange) => <ChangeLines change={change} />}
        />
        <DataTable.Col source="note" disableSort />
        <DataTable.Col source="proposed_by" disableSort />
        <MomentCol source="proposed_at" />
        <StateCol
          source="state"
          texts="areas.games.changeState"
          tones={{ proposed: 'warning', confirmed: 'warning', effective: 'success' }}
        />
        <DataTable.Col source="confirmed_by" disableSort />
        <DataTable.Col source="ended_by" disableSort />
        <DataTable.Col source="effective_issue" disableSort />
        <MomentCol source="effective_at" />
        <DataTable.Col
          label="console.actions"
          disableSort
          render={(change: RoomChange) => <DecideChange change={change} />}
        />
      </Rows>
    </DataList>
  )
}
