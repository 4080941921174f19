import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  LinearProgress,
} from '@mui/material'
import { type DownloadedFile, FileBroken, readDownload } from '@sum28/contract/read-download.ts'
import type { Download } from '@sum28/contract/route.ts'
import { saveFile } from '@sum28/ui/save-file.ts'
import { type ReactNode, useId, useRef, useState } from 'react'
import { useLogoutIfAccessDenied, useNotify, useTranslate } from 'react-admin'
import { isSessionEnd, withTabHeaders } from '#src/data/call.ts'
import { FAILURE_NOTICE, failureOf } from '#src/data/failure.ts'
import { ConfirmButton } from '#src/parts/confirm-button.tsx'

type DownloadButtonProps = {
  download: Pick<Download, 'path' | 'mediaType'>
  /** The filter and the order of the list. */
  request: Readonly<Record<string, unknown>>
  /** A key of the catalogs. */
  label?: string
  /** Shown with a second button before the download begins. */
  question?: ReactNode
  /** Called after success. */
  then?: () => void
}

/** Downloads a table as CSV; a long download shows its progress, and can be cancelled. */
export function DownloadButton({
  download,
  request,
  label = 'console.download',
  question,
  then,
}: DownloadButtonProps) {
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
      saveFile(await fileOf(download, request, { onRows: setDone, signal }))
      then?.()
    } catch (error) {
      if (signal.aborted) return
      if (isSessionEnd(error)) await leave(error)
      else notify(textOf(error), FAILURE_NOTICE)
    } finally {
      setDone(null)
    }
  }

  return (
    <>
      <ConfirmButton label={label} act={() => void load()}>
        {question}
      </ConfirmButton>
      <Dialog open={done !== null} aria-labelledby={id} fullWidth maxWidth="xs">
        <DialogTitle id={id}>{translate(label)}</DialogTitle>
        <DialogContent>
          <LinearProgress aria-labelledby={id} />
          <p className="num">{translate('console.rowsSoFar', { done: done ?? 0 })}</p>
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

function textOf(error: unknown): string {
  return error instanceof FileBroken ? 'console.fileBroken' : failureOf(error).text
}

const LINE_END = 10

/** The server gives up a file that takes longer. */
const SILENCE_MAX_MS = 600_000

/** @param onRows called with the number of rows received so far */
function fileOf(
  { path, mediaType }: Pick<Download, 'path' | 'mediaType'>,
  request: Readonly<Record<string, unknown>>,
  { onRows, signal }: { onRows: (rows: number) => void; signal: AbortSignal },
): Promise<DownloadedFile> {
  const query = new URLSearchParams({ lang: 'en' })
  for (const [name, value] of Object.entries(request)) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  // The first line has the headings.
  let rows = -1
  return readDownload({
    url: `${path}?${query}`,
    // Without them the server takes it for a picture or a link.
    headers: withTabHeaders(),
    mediaType,
    name: 'list.csv',
    silenceMs: SILENCE_MAX_MS,
    onProgress(_bytes, piece) {
      for (const byte of piece) if (byte === LINE_END) rows += 1
      onRows(Math.max(0, rows))
    },
    signal,
  })
}
