import type { ReplyOf } from '@sum28/contract/route.ts'
import { DEPOSIT_METHODS, type listDeposits } from '@sum28/contract/staff-players-routes.ts'
import { DataTable, SelectInput } from 'react-admin'
import { MomentCol, MoneyCol, PlayerCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { MONEY_FILTERS } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/values.tsx'

type Deposit = ReplyOf<typeof listDeposits>['list'][number]

const FILTERS = [
  <SelectInput
    key="by"
    source="by"
    choices={DEPOSIT_METHODS.map((id) => ({ id, name: `areas.players.way.${id}` }))}
    label="areas.money.methodLabel"
    alwaysOn
  />,
  ...MONEY_FILTERS,
]

const TONES = { held: 'warning', proposed: 'warning', seen: 'warning', refused: 'error' } as const

/** The deposits of all players, the latest first. */
export function DepositList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'at', order: 'DESC' }}>
      <Rows>
        <MomentCol source="at" disableSort={false} />
        <PlayerCol />
        <DataTable.Col source="by" disableSort>
          <StateChip source="by" texts="areas.players.way" tones={{}} />
        </DataTable.Col>
        <MoneyCol source="quantity" />
        <DataTable.Col source="state" disableSort>
          <StateChip source="state" texts="areas.players.depositState" tones={TONES} />
        </DataTable.Col>
        <DataTable.Col
          source="reference"
          disableSort
          render={({ reference }: Deposit) => (
            <span style={{ overflowWrap: 'anywhere' }}>{reference}</span>
          )}
        />
      </Rows>
    </DataList>
  )
}
