import {
  type DownloadedFile,
  type DownloadWatch,
  readDownload,
} from '@sum28/contract/read-download.ts'
import { saveFile } from '@sum28/ui/save-file.ts'
import { useEffect, useRef, useState } from 'react'
import { endsSession } from '#src/data/client.ts'
import { showFailure } from '#src/data/failure.ts'
import { lineBase } from '#src/data/lines.ts'
import { currentSession } from '#src/data/session-watch.ts'
import { language, useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { CopyButton } from '#src/parts/copy-button.tsx'

/**
 * Shown after a file was handed to the browser to save, which no page can observe: the browsers inside other apps ignore
 * it. So it does not say that the file is saved, and offers other ways to keep it.
 */
export function HandedFile({ file }: { file: DownloadedFile | null }) {
  // The region must exist before its text, or screen readers do not announce it.
  return (
    <div className={file ? 'stack-3' : 'unseen'} role="status" aria-live="polite">
      {file && <WaysToKeep file={file} />}
    </div>
  )
}

function WaysToKeep({ file }: { file: DownloadedFile }) {
  const t = useText()
  const shared = { files: [new File([file.blob], file.name, { type: file.blob.type })] }

  async function share() {
    try {
      await navigator.share(shared)
    } catch (error) {
      showFailure(error)
    }
  }

  return (
    <>
      <Callout icon="info">{t('download.handed', { name: file.name })}</Callout>
      {/* Missing on pages that are not secure, unlike its type says. */}
      {navigator.canShare?.(shared) && (
        <Button kind="soft" size="s" wide onClick={share}>
          {t('download.share')}
        </Button>
      )}
      {file.blob.type === 'text/csv' && (
        <CopyButton value={() => file.blob.text()} label={t('download.copy')} />
      )}
    </>
  )
}

/**
 * Downloads a file and hands it to the browser. A failure is shown in a toast; leaving the screen cancels the download.
 *
 * @returns `bytes`: received so far, or null while no download runs; `file`: the last one, for `HandedFile`
 */
export function useDownload(fetch: (watch: DownloadWatch) => Promise<DownloadedFile>): {
  bytes: number | null
  file: DownloadedFile | null
  start: () => Promise<void>
  cancel: () => void
} {
  const [bytes, setBytes] = useState<number | null>(null)
  const [file, setFile] = useState<DownloadedFile | null>(null)
  const running = useRef<AbortController>(null)
  const cancel = () => running.current?.abort()
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    const controller = new AbortController()
    running.current = controller
    setBytes(0)
    try {
      const fetched = await fetch({ onProgress: setBytes, signal: controller.signal })
      saveFile(fetched)
      setFile(fetched)
    } catch (error) {
      if (!controller.signal.aborted) showFailure(error)
    } finally {
      setBytes(null)
    }
  }

  return { bytes, file, start, cancel }
}

/**
 * Downloads a file of the player who is signed in. Rejects as {@link readDownload} does.
 *
 * @param file `path`: below the chosen line's address; `search`: its parameters; `name`: used if the server sends none
 */
export async function downloadOwnFile(
  file: { path: string; search?: Record<string, string>; mediaType: string; name: string },
  watch: DownloadWatch,
): Promise<DownloadedFile> {
  const query = new URLSearchParams({
    ...file.search,
    host: location.host,
    lang: language.get().locale,
  })
  const token = currentSession()?.token ?? ''
  try {
    return await readDownload({
      url: `${lineBase()}${file.path}?${query}`,
      // Not in the address, which proxies and logs record.
      headers: { Token: token },
      mediaType: file.mediaType,
      name: file.name,
      ...watch,
    })
  } catch (error) {
    endsSession(error, token)
    throw error
  }
}
