type LogPlace = { tx_id: string; log_index: number }

/** The first digits of a transaction and the index of its log; the title has the whole. */
export function Transaction({ of: { tx_id: tx, log_index: log } }: { of: LogPlace }) {
  return (
    <span className="num" title={tx}>
      {tx.slice(0, 10)}… / {log}
    </span>
  )
}
