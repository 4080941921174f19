import { listRooms } from '@sum28/contract/staff-games-routes.ts'
import { ROUND_STATES, type TimelineRound } from '@sum28/contract/staff-timeline-routes.ts'
import { DataTable, DateInput, SelectInput, useRecordContext } from 'react-admin'
import { Digits, NotWitnessed, ROUND_TONES, VoidProposed } from '#src/areas/games/round-parts.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { MomentCol, NumberCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { dayOrNone, dueFilter, searchFilter, stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/values.tsx'

const FILTERS = [
  searchFilter('areas.games.searchRounds'),
  <GameInput key="game_id" source="game_id" label="areas.games.game" alwaysOn />,
  stateFilter(ROUND_STATES, 'areas.games.roundState'),
  <DateInput key="day" source="day" label="areas.games.day" parse={dayOrNone} alwaysOn />,
  dueFilter('areas.games.drawLate'),
]

/** A choice of a game. */
function GameInput(props: { source: string; label: string; alwaysOn?: boolean }) {
  const { data: rooms = [] } = useReply(listRooms, {})
  const games = new Map(rooms.map(({ game_id: id, game_name: name }) => [id, name]))
  return <SelectInput {...props} choices={[...games].map(([id, name]) => ({ id, name }))} />
}

/** The rounds of all games, running and past; each opens its page. */
export function RoundList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'draws_at', order: 'DESC' }} refreshMs={3_000}>
      <Rows opens>
        <DataTable.Col source="game" disableSort />
        <NumberCol source="issue" disableSort />
        <DataTable.Col source="state" disableSort>
          <StateChip source="state" texts="areas.games.roundState" tones={ROUND_TONES} />
          <Marks />
        </DataTable.Col>
        <MomentCol source="draws_at" disableSort={false} />
        <DataTable.Col source="bets" disableSort align="right">
          <Book />
        </DataTable.Col>
        <DataTable.Col
          source="digits"
          disableSort
          render={(round: TimelineRound) => <Digits digits={round.digits} />}
        />
        <MomentCol source="settled_at" />
      </Rows>
    </DataList>
  )
}

function Marks() {
  const round = useRecordContext<TimelineRound>()
  if (!round) return null
  return (
    <>
      <VoidProposed round={round} />
      <NotWitnessed round={round} />
    </>
  )
}

/** The book of a voided round is not complete. */
function Book() {
  const round = useRecordContext<TimelineRound>()
  if (!round) return null
  return <span className="num">{round.state === 'voided' ? '—' : round.bets}</span>
}
