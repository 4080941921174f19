import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { lineSpeedQuery } from '#src/data/line-speed.ts'
import { LINES, LineRows } from '#src/features/line-sheet.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { useGoBack } from '#src/navigation/navigation.tsx'
import { Button } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'
import { Icon } from '#src/parts/icon.tsx'

/** The two lines with their round trips; a choice goes back. */
export function LinesScreen() {
  const t = useText()
  const goBack = useGoBack()
  const queries = useQueryClient()
  const measuring = useIsFetching({ queryKey: ['line-speed'] }) > 0

  function measure() {
    return Promise.all(
      LINES.map((line) => queries.invalidateQueries({ queryKey: lineSpeedQuery(line).queryKey })),
    )
  }

  return (
    <Screen title={t('line.title')} back onRefresh={measure}>
      <Card kind="rows">
        <LineRows onChosen={goBack} />
      </Card>
      <p className="hint inset">{t('line.hint')}</p>
      <div className="centered">
        <Button kind="plain" size="s" busy={measuring} onClick={measure}>
          <Icon name="refresh" size={18} />
          {t('line.again')}
        </Button>
      </div>
    </Screen>
  )
}
