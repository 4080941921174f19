import { saveFile } from '@sum28/ui/save-file.ts'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useEffect, useRef, useState } from 'react'
import type { DownloadedFile, DownloadWatch } from '#src/data/read-download.ts'
import { showFailure } from '#src/features/show-failure.ts'

type DownloadOptions = {
  fetch: (watch: DownloadWatch) => Promise<DownloadedFile>
  /** The text of the toast after the file was saved. */
  savedText: (name: string) => string
}

/**
 * Downloads a file and saves it. A failure is shown in a toast; leaving the screen cancels the download.
 *
 * @returns `bytes`: received so far, or null while no download runs
 */
export function useDownload({ fetch, savedText }: DownloadOptions): {
  bytes: number | null
  start: () => Promise<void>
  cancel: () => void
} {
  const [bytes, setBytes] = useState<number | null>(null)
  const running = useRef<AbortController>(null)
  const cancel = () => running.current?.abort()
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    const controller = new AbortController()
    running.current = controller
    setBytes(0)
    try {
      const file = await fetch({ onProgress: setBytes, signal: controller.signal })
      saveFile(file)
      showToast(savedText(file.name))
    } catch (error) {
      if (!controller.signal.aborted) showFailure(error)
    } finally {
      setBytes(null)
    }
  }

  return { bytes, start, cancel }
}
