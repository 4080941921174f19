import { i18n } from '@lingui/core'
import { orderCsv } from '@sum28/contract/user-routes.ts'
import type { DayRange } from '@sum28/ui/days.ts'
import { downloadOwnFile } from '#src/data/player-download.ts'
import type { DownloadedFile, DownloadWatch } from '#src/data/read-download.ts'

/** Fetches all bets of some days, in every state, as CSV. Rejects as {@link downloadOwnFile} does. */
export function exportBets({ from, to }: DayRange, watch: DownloadWatch): Promise<DownloadedFile> {
  const query = new URLSearchParams({
    begin_date: from,
    end_date: to,
    lang: i18n.locale,
    host: location.host,
  })
  const { path, mediaType } = orderCsv
  return downloadOwnFile(
    { path: `${path}?${query}`, mediaType, name: `bets-${from}-${to}.csv` },
    watch,
  )
}
