import type { ReplyOf } from '@sum28/contract/route.ts'
import {
  DEPOSIT_METHODS,
  type listBets,
  type listDeposits,
} from '@sum28/contract/staff-players-routes.ts'
import { reportChoices } from '@sum28/contract/staff-reports-routes.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { SelectInput, TextInput } from 'react-admin'
import { useReply } from '#src/data/use-reply.ts'
import { Col, MomentCol, MoneyCol, PlayerCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { choiceFilter, GameInput, MONEY_FILTERS } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { MoneyText } from '#src/parts/values.tsx'

type Deposit = ReplyOf<typeof listDeposits>['list'][number]

const DEPOSIT_FILTERS = [
  choiceFilter('by', DEPOSIT_METHODS, 'areas.players.way', 'areas.money.methodLabel'),
  ...MONEY_FILTERS,
]

const DEPOSIT_TONES = {
  held: 'warning',
  proposed: 'warning',
  seen: 'warning',
  refused: 'error',
} as const

/** The deposits of all players, the latest first. */
export function DepositList() {
  return (
    <DataList filters={DEPOSIT_FILTERS} sort={{ field: 'at', order: 'DESC' }}>
      <Rows>
        <MomentCol source="at" sorts />
        <PlayerCol />
        <StateCol source="by" texts="areas.players.way" tones={{}} />
        <MoneyCol source="quantity" />
        <Col
          source="taken_back"
          align="right"
          render={({ taken_back: back }: Deposit) =>
            amountFromWire(back) > 0n ? <MoneyText value={back} /> : null
          }
        />
        <StateCol source="state" texts="areas.players.depositState" tones={DEPOSIT_TONES} />
        <Col
          source="reference"
          render={({ reference }: Deposit) => (
            <span style={{ overflowWrap: 'anywhere' }}>{reference}</span>
          )}
        />
      </Rows>
    </DataList>
  )
}

type Bet = ReplyOf<typeof listBets>['list'][number]

const BET_FILTERS = [
  <GameInput key="game" source="game_id" label="areas.games.game" alwaysOn />,
  <RoomInput key="room" source="room_id" label="areas.games.room" alwaysOn />,
  <TextInput key="issue" source="issue" label="areas.games.roundNumber" alwaysOn />,
  ...MONEY_FILTERS,
]

/** A choice of a room, by its game. */
function RoomInput(props: { source: string; label: string; alwaysOn?: boolean }) {
  const { data } = useReply(reportChoices, {})
  return <SelectInput {...props} choices={data?.rooms ?? []} />
}

const BET_TONES = { won: 'success', accepted: 'warning' } as const

/** The bets of all players and robots, the latest first. */
export function BetList() {
  return (
    <DataList filters={BET_FILTERS}>
      <Rows>
        <Col source="order_no" />
        <MomentCol source="at" />
        <PlayerCol />
        <Col source="room" render={({ game, room }: Bet) => `${game} · ${room}`} />
        <Col source="issue" />
        <Col source="outcomes" render={({ outcomes }: Bet) => outcomes.join(', ')} />
        <MoneyCol source="total" />
        <StateCol source="status" texts="areas.players.betState" tones={BET_TONES} />
        <MoneyCol source="payout" />
      </Rows>
    </DataList>
  )
}
