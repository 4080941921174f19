/** The columns that many lists have: an amount, an instant, and a state. */
import type { ComponentProps } from 'react'
import { DataTable, useRecordContext, useResourceContext, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { languageName, Moment, Money, StateChip } from '#src/parts/values.tsx'

export function MoneyCol({ source, ...rest }: { source: string; disableSort?: boolean }) {
  return (
    <DataTable.Col source={source} align="right" disableSort {...rest}>
      <Money source={source} />
    </DataTable.Col>
  )
}

/** The number of a row, or another field, as a link to its page. */
export function LinkCol({
  source = 'id',
  disableSort = false,
}: {
  source?: string
  disableSort?: boolean
}) {
  return (
    <DataTable.Col source={source} disableSort={disableSort}>
      <RowLink source={source} />
    </DataTable.Col>
  )
}

/** The player of a row, as a link to his page; a robot has none. */
export function PlayerCol() {
  return (
    <DataTable.Col
      source="username"
      disableSort
      render={({ user_id: id, username, robot }: Record<string, unknown>) =>
        robot ? String(username) : <Link to={`/players/${id}/show`}>{String(username)}</Link>
      }
    />
  )
}

function RowLink({ source }: { source: string }) {
  const resource = useResourceContext()
  const record = useRecordContext()
  if (!record) return null
  const to = `/${resource}/${encodeURIComponent(String(record.id))}/show`
  return <Link to={to}>{record[source]}</Link>
}

export function MomentCol({ source, ...rest }: { source: string; disableSort?: boolean }) {
  return (
    <DataTable.Col source={source} disableSort {...rest}>
      <Moment source={source} />
    </DataTable.Col>
  )
}

export function StateCol(props: ComponentProps<typeof StateChip>) {
  return (
    <DataTable.Col source={props.source} disableSort>
      <StateChip {...props} />
    </DataTable.Col>
  )
}

/** A word of the row in people's words. `texts`: the key in the catalog below which these are. */
export function WordCol(props: { source: string; texts: string }) {
  return (
    <DataTable.Col source={props.source} disableSort>
      <Word {...props} />
    </DataTable.Col>
  )
}

function Word({ source, texts }: { source: string; texts: string }) {
  const translate = useTranslate()
  const word = useRecordContext()?.[source]
  return word ? translate(`${texts}.${word}`) : null
}

/** The languages that the texts of a row lack. */
export function MissingCol() {
  return (
    <DataTable.Col source="missing" disableSort>
      <MissingLanguages />
    </DataTable.Col>
  )
}

function MissingLanguages() {
  const translate = useTranslate()
  const missing: readonly string[] = useRecordContext()?.missing ?? []
  return missing.length === 0 ? translate('console.complete') : missing.map(languageName).join(', ')
}

/** The actor, and below it the time: two fields of the record in one column. */
export function ActorAndTime({ by, at }: { by: string; at: string }) {
  const record = useRecordContext()
  return (
    <>
      <div>{record?.[by] ?? '—'}</div>
      <Moment source={at} />
    </>
  )
}
