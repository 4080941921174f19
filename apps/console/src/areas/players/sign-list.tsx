import { type ListedSign, SIGN_KINDS } from '@sum28/contract/staff-protection-routes.ts'
import { DataTable, SelectInput, useRecordContext, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { DayText, SignFacts } from '#src/areas/players/sign-facts.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Moment } from '#src/parts/moment.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { searchFilter } from '#src/parts/search-filter.tsx'

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
        <DataTable.Col source="username" disableSort>
          <Player />
        </DataTable.Col>
        <DataTable.Col source="kind" disableSort>
          <Kind />
        </DataTable.Col>
        <DataTable.Col source="facts" disableSort>
          <Facts />
        </DataTable.Col>
        <DataTable.Col source="since_day" disableSort>
          <Since />
        </DataTable.Col>
        <DataTable.Col source="contact_at" disableSort>
          <Moment source="contact_at" />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

function Player() {
  const sign = useRecordContext<ListedSign>()
  return sign ? <Link to={`/players/${sign.user_id}/show`}>{sign.username}</Link> : null
}

function Since() {
  const sign = useRecordContext<ListedSign>()
  return sign ? <DayText day={sign.since_day} /> : null
}

function Kind() {
  const translate = useTranslate()
  const kind = useRecordContext<ListedSign>()?.kind
  return kind ? translate(`areas.players.sign.${kind}`) : null
}

function Facts() {
  const sign = useRecordContext<ListedSign>()
  return sign ? <SignFacts sign={sign} latest /> : null
}
