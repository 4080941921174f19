/** The columns that many lists have: an amount, an instant, and a state. */
import type { ComponentProps } from 'react'
import { DataTable, useRecordContext } from 'react-admin'
import { Moment, Money, StateChip } from '#src/parts/values.tsx'

export function MoneyCol({ source, ...rest }: { source: string; disableSort?: boolean }) {
  return (
    <DataTable.Col source={source} align="right" disableSort {...rest}>
      <Money source={source} />
    </DataTable.Col>
  )
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
