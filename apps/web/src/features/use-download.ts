import { saveFile } from '@sum28/ui/save-file.ts'
import { useEffect, useRef, useState } from 'react'
import type { DownloadedFile, DownloadWatch } from '#src/data/read-download.ts'
import { showFailure } from '#src/features/show-failure.ts'

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
