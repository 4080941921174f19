import { DataTable, DateInput, SelectInput, TextInput } from 'react-admin'
import { STATE_TONES } from '#src/areas/players/state-tones.ts'
import { DataList } from '#src/parts/data-list.tsx'
import { Moment } from '#src/parts/moment.tsx'
import { Money } from '#src/parts/money.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/state-chip.tsx'
import { stateFilter } from '#src/parts/state-filter.tsx'

const GROUPS = [1, 2].map((id) => ({ id, name: `areas.players.group.${id}` }))

const FILTERS = [
  <TextInput key="q" source="q" label="areas.players.search" sx={{ width: '24rem' }} alwaysOn />,
  stateFilter(['active', 'frozen', 'closed'], 'areas.players.state'),
  <SelectInput
    key="group"
    source="group_id"
    choices={GROUPS}
    label="areas.players.groupLabel"
    alwaysOn
  />,
  <DateInput key="from" source="from_day" label="areas.players.fromDay" alwaysOn />,
  <DateInput key="until" source="until_day" label="areas.players.untilDay" alwaysOn />,
]

/** All players: with search and filters; each opens his page. */
export function PlayerList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'registered_at', order: 'DESC' }}>
      <Rows opens>
        <DataTable.Col source="id" disableSort />
        <DataTable.Col source="username" />
        <DataTable.Col source="email" disableSort sx={{ overflowWrap: 'anywhere' }} />
        <DataTable.Col source="group_id" disableSort>
          <StateChip source="group_id" texts="areas.players.group" tones={{}} />
        </DataTable.Col>
        <DataTable.Col source="state" disableSort>
          <StateChip source="state" texts="areas.players.state" tones={STATE_TONES} />
        </DataTable.Col>
        <DataTable.Col source="cash" disableSort align="right">
          <Money source="cash" />
        </DataTable.Col>
        <DataTable.Col source="held" disableSort align="right">
          <Money source="held" />
        </DataTable.Col>
        <DataTable.Col source="registered_at">
          <Moment source="registered_at" />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}
