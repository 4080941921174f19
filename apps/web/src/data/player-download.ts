import { endsSession } from '#src/data/client.ts'
import { lineBase } from '#src/data/lines.ts'
import { type DownloadedFile, type DownloadWatch, readDownload } from '#src/data/read-download.ts'
import { currentSession } from '#src/data/session-watch.ts'

/**
 * Downloads a file of the player who is signed in. Rejects as {@link readDownload} does.
 *
 * @param file `path`: below the chosen line's address; `name`: used if the server sends none
 */
export async function downloadOwnFile(
  file: { path: string; mediaType: string; name: string },
  watch: DownloadWatch,
): Promise<DownloadedFile> {
  const token = currentSession()?.token ?? ''
  try {
    return await readDownload({
      url: lineBase() + file.path,
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
