import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  LinearProgress,
} from '@mui/material'
import type { RequestOf } from '@sum28/contract/route.ts'
import type { reportCsv } from '@sum28/contract/staff-reports-routes.ts'
import { saveFile } from '@sum28/ui/save-file.ts'
import { useId, useRef, useState } from 'react'
import { useLogoutIfAccessDenied, useNotify, useTranslate } from 'react-admin'
import { downloadReport } from '#src/areas/reports/download-report.ts'
import { isSessionEnd } from '#src/data/call.ts'
import { failureOf } from '#src/data/failure.ts'

type DownloadButtonProps = {
  request: RequestOf<typeof reportCsv>
  /** How many rows the file will have. */
  rows: number
}

/** Downloads the whole report as CSV; a long download shows its progress, and can be cancelled. */
export function DownloadButton({ request, rows }: DownloadButtonProps) {
  const translate = useTranslate()
  const notify = useNotify()
  const leave = useLogoutIfAccessDenied()
  const id = useId()
  const [done, setDone] = useState<number | null>(null)
  const ending = useRef<AbortController | null>(null)

  async function load() {
    ending.current = new AbortController()
    const { signal } = ending.current
    setDone(0)
    try {
      const file = await downloadReport(request, { onRows: setDone, signal })
      saveFile(file)
    } catch (error) {
      if (signal.aborted) return
      if (isSessionEnd(error)) await leave(error)
      else notify(failureOf(error).text, { type: 'error' })
    } finally {
      setDone(null)
    }
  }

  return (
    <>
      <Button variant="outlined" disabled={rows === 0} onClick={() => void load()}>
        {translate('areas.reports.download')}
      </Button>
      <Dialog open={done !== null} aria-labelledby={id} fullWidth maxWidth="xs">
        <DialogTitle id={id}>{translate('areas.reports.download')}</DialogTitle>
        <DialogContent>
          <LinearProgress
            variant="determinate"
            aria-labelledby={id}
            value={Math.min(100, (100 * (done ?? 0)) / Math.max(1, rows))}
          />
          <p className="num">{translate('areas.reports.progress', { done: done ?? 0, rows })}</p>
        </DialogContent>
        <DialogActions>
          <Button variant="text" onClick={() => ending.current?.abort()}>
            {translate('ra.action.cancel')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
