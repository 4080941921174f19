import { useEffect, useRef, useState } from 'react'
import { exportBets } from '#src/data/bet-export.ts'
import type { DayRange } from '#src/data/day-span.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import styles from '#src/screens/bet-record/bet-export.module.css'
import { Button } from '#src/ui/button.tsx'
import { saveFile } from '#src/ui/save-file.ts'
import { showFailure } from '#src/ui/show-failure.ts'
import { sizeText } from '#src/ui/size-text.ts'
import { showToast } from '#src/ui/toast-store.ts'

/** All bets of the days as a CSV file; tells how much has come, and can be stopped. */
export function BetExport({ range }: { range: DayRange }) {
  const t = useText()
  const { tag } = useLocale()
  // Bytes that have come, or null while nothing is under way.
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
      showToast(t('bets.exported', { name: file.name }))
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
        {busy ? t('bets.exporting', { size: sizeText(bytes, tag) }) : t('bets.exportNote')}
      </p>
      <Button
        kind={busy ? 'plain' : 'soft'}
        size="s"
        onClick={busy ? () => underWay.current?.abort() : start}
      >
        {busy ? t('bets.stop') : t('bets.export')}
      </Button>
    </div>
  )
}
