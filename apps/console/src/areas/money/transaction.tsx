import { useRecordContext } from 'react-admin'

/** The first digits of the record's transaction and the index of its log; the title has the whole. */
export function Transaction() {
  const record = useRecordContext<{ id: number; tx_id: string; log_index: number }>()
  if (!record) return null
  return (
    <span className="num" title={record.tx_id}>
      {record.tx_id.slice(0, 10)}… / {record.log_index}
    </span>
  )
}
