import { type ListedSign, SIGN_KINDS } from '@sum28/contract/staff-protection-routes.ts'
import { DataTable, SelectInput, useRecordContext, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { DayText, SignFacts } from '#src/areas/players/sign-facts.tsx'
import { MomentCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'

const KINDS = SIGN_KINDS.map((id) => ({ id, name: `areas.players.sign.${id}` }))

const FILTERS = [
  searchFilter('areas.players.searchPlayer'),
  <SelectInput key="kind" source="kind" choices={KINDS} label="areas.players.signLabel" alwaysOn />,
]

/** Players with early signs. */
export function SignList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'id', order: 'DESC' }}>
      <Rows>
        <DataTable.Col
          source="username"
          disableSort
          render={(sign: ListedSign) => (
            <Link to={`/players/${sign.user_id}/show`}>{sign.username}</Link>
          )}
        />
        <DataTable.Col source="kind" disableSort>
          <Kind />
        </DataTable.Col>
        <DataTable.Col
          source="facts"
          disableSort
          render={(sign: ListedSign) => <SignFacts sign={sign} latest />}
        />
        <DataTable.Col
          source="since_day"
          disableSort
          render={(sign: ListedSign) => <DayText day={sign.since_day} />}
        />
        <MomentCol source="contact_at" />
      </Rows>
    </DataList>
  )
}

function Kind() {
  const translate = useTranslate()
  const kind = useRecordContext<ListedSign>()?.kind
  return kind ? translate(`areas.players.sign.${kind}`) : null
}
