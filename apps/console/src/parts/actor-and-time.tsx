import { useRecordContext } from 'react-admin'
import { Moment } from '#src/parts/moment.tsx'

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
