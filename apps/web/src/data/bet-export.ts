import { i18n } from '@lingui/core'
import { orderCsv } from '@sum28/contract/user-routes.ts'
import type { DayRange } from '@sum28/ui/day-span.ts'
import { endsSession } from '#src/data/client.ts'
import { lineBase } from '#src/data/lines.ts'
import { type DownloadedFile, readDownload } from '#src/data/read-download.ts'
import { currentSession } from '#src/data/session-watch.ts'

type ExportOptions = { onProgress: (bytes: number) => void; signal: AbortSignal }

/** Fetches all bets of some days, in every state, as CSV. Rejects as {@link readDownload} does. */
export async function exportBets(
  { from, to }: DayRange,
  options: ExportOptions,
): Promise<DownloadedFile> {
  const query = new URLSearchParams({
    begin_date: from,
    end_date: to,
    lang: i18n.locale,
    host: location.host,
  })
  const token = currentSession()?.token ?? ''
  try {
    return await readDownload({
      url: `${lineBase()}${orderCsv.path}?${query}`,
      // Not in the address, which proxies and logs record.
      headers: { Token: token },
      mediaType: orderCsv.mediaType,
      name: `bets-${from}-${to}.csv`,
      ...options,
    })
  } catch (error) {
    endsSession(error, token)
    throw error
  }
}
