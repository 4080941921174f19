import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  LinearProgress,
} from '@mui/material'
import { Refusal } from '@sum28/contract/client.ts'
import type { RequestOf } from '@sum28/contract/route.ts'
import { reportCsv } from '@sum28/contract/staff-reports-routes.ts'
import { saveFile } from '@sum28/ui/save-file.ts'
import { useId, useRef, useState } from 'react'
import { useLogoutIfAccessDenied, useNotify, useTranslate } from 'react-admin'
import { isSessionEnd, Unreachable } from '#src/data/call.ts'
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

const LINE_END = 10

/**
 * @param request the filter and the order of the report
 * @param onRows called with the number of rows received so far
 * @returns the file, under the name that the server gave it
 * @throws Refusal when the server refused, Unreachable when no answer or only a part of it came
 */
async function downloadReport(
  request: RequestOf<typeof reportCsv>,
  { onRows, signal }: { onRows: (rows: number) => void; signal: AbortSignal },
): Promise<{ name: string; blob: Blob }> {
  const query = new URLSearchParams({ lang: 'en' })
  for (const [name, value] of Object.entries(request)) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  try {
    const response = await fetch(`${reportCsv.path}?${query}`, { signal })
    const type = response.headers.get('Content-Type') ?? ''
    if (!type.startsWith(reportCsv.mediaType)) throw new Refusal(await response.json())
    const pieces = await read(response, onRows)
    return { name: nameOf(response), blob: new Blob(pieces, { type }) }
  } catch (cause) {
    if (cause instanceof Refusal || signal.aborted) throw cause
    throw new Unreachable({ timedOut: false, cause })
  }
}

async function read(
  { body }: Response,
  onRows: (rows: number) => void,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const reader = body?.getReader()
  // The first line has the headings.
  let rows = -1
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done || !value) return pieces
    pieces.push(value)
    for (const byte of value) if (byte === LINE_END) rows += 1
    onRows(Math.max(0, rows))
  }
}

function nameOf({ headers }: Response): string {
  return /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? 'report.csv'
}
