import { Typography } from '@mui/material'
import type { ListedPlayer, PlayerState } from '@sum28/contract/staff-players-routes.ts'
import { DateInput, TextInput } from 'react-admin'
import { Col, LinkCol, MomentCol, MoneyCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { choiceFilter, dueFilter, stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import type { Tone } from '#src/parts/values.tsx'

const FILTERS = [
  <TextInput key="q" source="q" label="areas.players.search" sx={{ width: '24rem' }} alwaysOn />,
  stateFilter(['active', 'frozen', 'closed'], 'areas.players.state'),
  choiceFilter('group_id', [1, 2], 'areas.players.group', 'areas.players.groupLabel'),
  <DateInput key="from" source="from_day" label="areas.players.fromDay" alwaysOn />,
  <DateInput key="until" source="until_day" label="areas.players.untilDay" alwaysOn />,
  dueFilter('areas.players.restDue'),
]

/** All players: with search and filters; each opens his page. */
export function PlayerList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'registered_at', order: 'DESC' }}>
      <Rows opens>
        <LinkCol />
        <Col
          sorts
          source="username"
          sx={{ minWidth: '13rem', overflowWrap: 'anywhere' }}
          render={({ username, email }: ListedPlayer) => (
            <>
              {username}
              <Typography variant="caption" color="textSecondary" component="div">
                {email}
              </Typography>
            </>
          )}
        />
        <StateCol source="group_id" texts="areas.players.group" tones={{}} />
        <StateCol source="state" texts="areas.players.state" tones={STATE_TONES} />
        <MoneyCol source="cash" />
        <MoneyCol source="held" />
        <MomentCol source="registered_at" sorts />
      </Rows>
    </DataList>
  )
}

/** The colour of an account's state. */
export const STATE_TONES = {
  active: 'success',
  frozen: 'error',
  closed: 'default',
} as const satisfies Record<PlayerState, Tone>
