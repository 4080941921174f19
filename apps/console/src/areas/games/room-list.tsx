import type { ReplyOf } from '@sum28/contract/route.ts'
import type { listRooms } from '@sum28/contract/staff-games-routes.ts'
import { DataTable, useRecordContext } from 'react-admin'
import { MoneyCol, NumberCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/values.tsx'

/** Rooms with their limits; each opens its page. */
export function RoomList() {
  return (
    <DataList>
      <Rows opens>
        <NumberCol disableSort />
        <DataTable.Col
          source="title"
          disableSort
          render={(room: ReplyOf<typeof listRooms>[number]) => `${room.game_name} · ${room.title}`}
        />
        <MoneyCol source="entry_min" />
        <MoneyCol source="stake_min" />
        <MoneyCol source="stake_max" />
        <DataTable.Col source="rules_version" disableSort align="right" />
        <DataTable.Col source="waiting" disableSort>
          <Waiting />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

function Waiting() {
  const room = useRecordContext<ReplyOf<typeof listRooms>[number]>()
  if (!room?.waiting) return '—'
  return (
    <StateChip
      source="waiting"
      texts="areas.proposals.state"
      tones={{ proposed: 'warning', confirmed: 'warning' }}
    />
  )
}
