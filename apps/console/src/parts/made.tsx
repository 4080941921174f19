import { useRecordContext } from 'react-admin'
import { Moment } from '#src/parts/moment.tsx'

/** Who did something, and below when: two fields of the record in one column. */
export function Made({ by, at }: { by: string; at: string }) {
  const record = useRecordContext()
  return (
    <>
      <div>{record?.[by] ?? '—'}</div>
      <Moment source={at} />
    </>
  )
}
