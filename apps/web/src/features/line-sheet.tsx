import { ListRow } from '@sum28/ui/list-row.tsx'
import { Sheet } from '@sum28/ui/overlays.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lineSpeedQuery, MEASURE_EVERY_MS, speedText } from '#src/data/line-speed.ts'
import { activeLine, type Line, storeActiveLine } from '#src/data/lines.ts'
import styles from '#src/features/line-sheet.module.css'
import { useText } from '#src/i18n/text.ts'

const LINES: readonly Line[] = [0, 1]

/** The two lines with their round trips; a choice takes effect at once. */
export function LineSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText()
  const queries = useQueryClient()

  function choose(line: Line) {
    storeActiveLine(line)
    queries.invalidateQueries()
    showToast(t('line.switched', { number: line + 1 }))
    onClose()
  }

  return (
    <Sheet open={open} onClose={onClose} title={t('line.title')}>
      <div className="sheet-rows">
        {LINES.map((line) => (
          <ListRow
            key={line}
            icon="line"
            title={
              <span className="row-2 wrap">
                {t('line.name', { number: line + 1 })}
                {line === 1 && <span className={styles.best}>{t('line.best')}</span>}
              </span>
            }
            end={<LineSpeed line={line} />}
            chosen={activeLine() === line}
            onPress={() => choose(line)}
          />
        ))}
      </div>
      <p className={styles.hint}>{t('line.hint')}</p>
    </Sheet>
  )
}

/** The round trip of a line, as text. */
export function LineSpeed({ line }: { line: Line }) {
  const t = useText()
  const speed = useQuery({ ...lineSpeedQuery(line), refetchInterval: MEASURE_EVERY_MS })
  if (speed.isError) return <span className="num">{t('line.away')}</span>
  if (speed.data === undefined) return <span className="num">– ms</span>
  return <span className="num">{speedText(t, speed.data)}</span>
}
