import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lineSpeedQuery, MEASURE_EVERY_MS, speedText } from '#src/data/line-speed.ts'
import { activeLine, type Line, storeActiveLine } from '#src/data/lines.ts'
import { useText } from '#src/i18n/text.ts'
import { ListRow } from '#src/parts/list-row.tsx'
import { Sheet } from '#src/parts/overlays.tsx'
import { RecordBadge } from '#src/parts/record-row.tsx'
import { showToast } from '#src/parts/toast-store.ts'

export const LINES: readonly Line[] = [0, 1]

/** By the specification, line 2 is marked as the best. */
const BEST: Line = 1

export function LineSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText()
  return (
    <Sheet open={open} onClose={onClose} title={t('line.title')}>
      <div className="stack-2">
        <div className="sheet-rows">
          <LineRows onChosen={onClose} />
        </div>
        <p className="hint">{t('line.hint')}</p>
      </div>
    </Sheet>
  )
}

/** A row for each of the two lines, with its round trip; a choice takes effect at once. */
export function LineRows({ onChosen }: { onChosen: () => void }) {
  const t = useText()
  const queries = useQueryClient()

  function choose(line: Line) {
    storeActiveLine(line)
    queries.invalidateQueries()
    showToast(t('line.switched', { number: line + 1 }))
    onChosen()
  }

  return LINES.map((line) => (
    <ListRow
      key={line}
      icon="line"
      title={
        <>
          {t('line.name', { number: line + 1 })}
          {line === BEST && <RecordBadge tone="accent">{t('line.best')}</RecordBadge>}
        </>
      }
      note={activeLine() === line && t('line.current')}
      end={<LineSpeed line={line} />}
      chosen={activeLine() === line}
      onPress={() => choose(line)}
    />
  ))
}

function LineSpeed({ line }: { line: Line }) {
  const t = useText()
  const speed = useQuery({ ...lineSpeedQuery(line), refetchInterval: MEASURE_EVERY_MS })
  if (speed.isError) return <span className="num">{t('line.away')}</span>
  if (speed.data === undefined) return <span className="num">– ms</span>
  return <span className="num">{speedText(t, speed.data)}</span>
}
