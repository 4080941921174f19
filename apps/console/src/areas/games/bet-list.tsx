import type { ReplyOf } from '@sum28/contract/route.ts'
import type { listBets } from '@sum28/contract/staff-players-routes.ts'
import { reportChoices } from '@sum28/contract/staff-reports-routes.ts'
import { DataTable, SelectInput, TextInput } from 'react-admin'
import { useReply } from '#src/data/use-reply.ts'
import { MomentCol, MoneyCol, PlayerCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { MONEY_FILTERS } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'

type Bet = ReplyOf<typeof listBets>['list'][number]

const FILTERS = [
  <RoomInput key="room" source="room_id" label="areas.games.room" alwaysOn />,
  <TextInput key="issue" source="issue" label="areas.games.roundNumber" alwaysOn />,
  ...MONEY_FILTERS,
]

/** A choice of a room, by its game. */
function RoomInput(props: { source: string; label: string; alwaysOn?: boolean }) {
  const { data } = useReply(reportChoices, {})
  return <SelectInput {...props} choices={data?.rooms ?? []} />
}

const TONES = { won: 'success', accepted: 'warning' } as const

/** The bets of all players and robots, the latest first. */
export function BetList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'id', order: 'DESC' }}>
      <Rows>
        <DataTable.Col source="order_no" disableSort />
        <MomentCol source="at" />
        <PlayerCol />
        <DataTable.Col
          source="room"
          disableSort
          render={({ game, room }: Bet) => `${game} · ${room}`}
        />
        <DataTable.Col source="issue" disableSort />
        <DataTable.Col
          source="outcomes"
          disableSort
          render={({ outcomes }: Bet) => outcomes.join(', ')}
        />
        <MoneyCol source="total" />
        <StateCol source="status" texts="areas.players.betState" tones={TONES} />
        <MoneyCol source="payout" />
      </Rows>
    </DataList>
  )
}
