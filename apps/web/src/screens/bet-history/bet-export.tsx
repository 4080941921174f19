import { Button } from '@sum28/ui/button.tsx'
import type { DayRange } from '@sum28/ui/day-span.ts'
import { saveFile } from '@sum28/ui/save-file.ts'
import { sizeText } from '@sum28/ui/size-text.ts'
import { useLocale } from '@sum28/ui/text.ts'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useEffect, useRef, useState } from 'react'
import { exportBets } from '#src/data/bet-export.ts'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/bet-history/bet-export.module.css'

/** Downloads all bets of the days as a CSV file; shows the progress, and can be cancelled. */
export function BetExport({ range }: { range: DayRange }) {
  const t = useText()
  const { tag } = useLocale()
  // Bytes received, or null while no download runs.
  const [bytes, setBytes] = useState<number | null>(null)
  const underWay = useRef<AbortController>(null)
  useEffect(() => () => underWay.current?.abort(), [])

  async function start() {
    const stop = new AbortController()
    underWay.current = stop
    setBytes(0)
    try {
      const file = await exportBets(range, { onProgress: setBytes, signal: stop.signal })
      saveFile(file)
      showToast(t('betHistory.exported', { name: file.name }))
    } catch (error) {
      showFailure(error)
    } finally {
      setBytes(null)
    }
  }

  const busy = bytes !== null
  return (
    <div className={styles.export}>
      <p className="num">
        {busy
          ? t('betHistory.exporting', { size: sizeText(bytes, tag) })
          : t('betHistory.exportNote')}
      </p>
      <Button
        kind={busy ? 'plain' : 'soft'}
        size="s"
        onClick={busy ? () => underWay.current?.abort() : start}
      >
        {busy ? t('betHistory.stop') : t('betHistory.export')}
      </Button>
    </div>
  )
}
