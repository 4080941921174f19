import { Button } from '@sum28/ui/button.tsx'
import type { DayRange } from '@sum28/ui/day-span.ts'
import { sizeText } from '@sum28/ui/size-text.ts'
import { useLocale } from '@sum28/ui/text.ts'
import { exportBets } from '#src/data/bet-export.ts'
import { useDownload } from '#src/features/use-download.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/bet-history/bet-export.module.css'

/** Downloads all bets of the days as a CSV file; shows the progress, and can be cancelled. */
export function BetExport({ range }: { range: DayRange }) {
  const t = useText()
  const { tag } = useLocale()
  const { bytes, start, cancel } = useDownload({
    fetch: (watch) => exportBets(range, watch),
    savedText: (name) => t('betHistory.exported', { name }),
  })
  const busy = bytes !== null
  return (
    <div className={styles.export}>
      <p className="num">
        {busy
          ? t('betHistory.exporting', { size: sizeText(bytes, tag) })
          : t('betHistory.exportNote')}
      </p>
      <Button kind={busy ? 'plain' : 'soft'} size="s" onClick={busy ? cancel : start}>
        {busy ? t('betHistory.stop') : t('betHistory.export')}
      </Button>
    </div>
  )
}
