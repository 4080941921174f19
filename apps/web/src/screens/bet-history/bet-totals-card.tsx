import { orderCsv } from '@sum28/contract/user-routes.ts'
import { Button } from '@sum28/ui/button.tsx'
import { Card } from '@sum28/ui/card.tsx'
import type { DayRange } from '@sum28/ui/days.ts'
import { LabelAmount, LabelValues } from '@sum28/ui/label-values.tsx'
import { sizeText } from '@sum28/ui/number-text.ts'
import { language, useLocale } from '@sum28/ui/text.ts'
import type { BetTotals } from '#src/data/bet-history.ts'
import { downloadOwnFile } from '#src/data/player-download.ts'
import type { DownloadedFile, DownloadWatch } from '#src/data/read-download.ts'
import { HandedFile } from '#src/features/handed-file.tsx'
import { useDownload } from '#src/features/use-download.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/bet-history/bet-history.module.css'

/** The totals of the listed bets, and the download of all bets of the days. */
export function BetTotalsCard({ totals, range }: { totals: BetTotals; range: DayRange }) {
  const t = useText()
  return (
    <Card className="stack-2">
      <div className={styles.totalsHeading}>
        <h2>{t('betHistory.totals')}</h2>
        <span className="num">{t('betHistory.count', { count: totals.count })}</span>
      </div>
      <LabelValues>
        <LabelAmount label={t('betHistory.staked')} value={totals.staked} />
        {totals.pending > 0n && (
          <LabelAmount label={t('betHistory.pending')} weight="part" value={totals.pending} />
        )}
        {totals.refunded > 0n && (
          <LabelAmount label={t('betHistory.refunded')} weight="part" value={totals.refunded} />
        )}
        <LabelAmount label={t('bet.payout')} value={totals.payout} />
        <LabelAmount label={t('betHistory.result')} weight="strong" value={totals.result} signed />
      </LabelValues>
      <BetExport range={range} />
    </Card>
  )
}

/** Downloads all bets of the days as a CSV file; shows the progress, and can be cancelled. */
function BetExport({ range }: { range: DayRange }) {
  const t = useText()
  const { tag } = useLocale()
  const { bytes, file, start, cancel } = useDownload((watch) => exportBets(range, watch))
  const busy = bytes !== null
  return (
    <>
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
      <HandedFile file={file} />
    </>
  )
}

/** Fetches all bets of some days, in every state, as CSV. Rejects as {@link downloadOwnFile} does. */
function exportBets({ from, to }: DayRange, watch: DownloadWatch): Promise<DownloadedFile> {
  const query = new URLSearchParams({
    begin_date: from,
    end_date: to,
    lang: language.get().locale,
    host: location.host,
  })
  const { path, mediaType } = orderCsv
  return downloadOwnFile(
    { path: `${path}?${query}`, mediaType, name: `bets-${from}-${to}.csv` },
    watch,
  )
}
