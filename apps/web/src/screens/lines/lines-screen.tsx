import { Button } from '@sum28/ui/button.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { ListRow } from '@sum28/ui/list-row.tsx'
import { RecordBadge } from '@sum28/ui/record-row.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { lineSpeedQuery } from '#src/data/line-speed.ts'
import { activeLine, type Line, storeActiveLine } from '#src/data/lines.ts'
import { LineSpeed } from '#src/features/line-sheet.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { useGoBack } from '#src/navigation/navigation.tsx'
import styles from '#src/screens/lines/lines.module.css'

const LINES: readonly Line[] = [0, 1]

/** By the specification, line 2 is marked as the best. */
const BEST: Line = 1

/** The two lines with their round trips; a choice takes effect and goes back. */
export function LinesScreen() {
  const t = useText()
  const goBack = useGoBack()
  const queries = useQueryClient()
  const measuring = useIsFetching({ queryKey: ['line-speed'] }) > 0

  function choose(line: Line) {
    storeActiveLine(line)
    queries.invalidateQueries()
    showToast(t('line.switched', { number: line + 1 }))
    goBack()
  }

  function measure() {
    return Promise.all(
      LINES.map((line) => queries.invalidateQueries({ queryKey: lineSpeedQuery(line).queryKey })),
    )
  }

  return (
    <Screen title={t('line.title')} back onRefresh={measure}>
      <Card kind="rows">
        {LINES.map((line) => (
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
        ))}
      </Card>
      <p className={styles.hint}>{t('line.hint')}</p>
      <Button kind="plain" size="s" className={styles.again} busy={measuring} onClick={measure}>
        <Icon name="refresh" size={18} />
        {t('line.again')}
      </Button>
    </Screen>
  )
}
