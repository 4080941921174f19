/** The columns that many lists have: an amount, an instant, and a state. */
import type { ComponentProps } from 'react'
import {
  DataTable,
  type DataTableColumnProps,
  useRecordContext,
  useResourceContext,
  useTranslate,
} from 'react-admin'
import { Link } from 'react-router'
import { languageName, Moment, Money, StateChip } from '#src/parts/values.tsx'

/** `sorts`: the call can sort by it. */
export function Col<Row extends Record<string, unknown>>({
  sorts = false,
  ...rest
}: DataTableColumnProps<Row> & { sorts?: boolean }) {
  return <DataTable.Col<Row> disableSort={!sorts} {...rest} />
}

export function MoneyCol({ source }: { source: string }) {
  return (
    <Col source={source} align="right">
      <Money source={source} />
    </Col>
  )
}

/** The number of a row, or another field, as a link to its page. */
export function LinkCol({ source = 'id', ...rest }: { source?: string; sorts?: boolean }) {
  return (
    <Col source={source} {...rest}>
      <RowLink source={source} />
    </Col>
  )
}

/** The player of a row, as a link to his page; a robot has none. */
export function PlayerCol() {
  return (
    <Col
      source="username"
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

export function MomentCol({ source, ...rest }: { source: string; sorts?: boolean }) {
  return (
    <Col source={source} {...rest}>
      <Moment source={source} />
    </Col>
  )
}

export function StateCol(props: ComponentProps<typeof StateChip>) {
  return (
    <Col source={props.source}>
      <StateChip {...props} />
    </Col>
  )
}

/** A word of the row in people's words. `texts`: the key in the catalog below which these are. */
export function WordCol(props: { source: string; texts: string }) {
  return (
    <Col source={props.source}>
      <Word {...props} />
    </Col>
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
    <Col source="missing">
      <MissingLanguages />
    </Col>
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
