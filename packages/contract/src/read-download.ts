/** Reads a file that the server creates while it sends it. */
import { anySignal } from './any-signal.ts'
import { Refusal, refusalOf, TRY_TIMEOUT_MS, Unreachable } from './client.ts'

export type DownloadedFile = { readonly name: string; readonly blob: Blob }

/** What a download reports while it runs, and how it is cancelled. */
export type DownloadWatch = {
  /** Called with the number of bytes received so far, and with the last of them. */
  onProgress: (bytes: number, piece: Uint8Array) => void
  signal: AbortSignal
}

type DownloadOptions = Partial<DownloadWatch> & {
  url: string
  headers?: Headers | Record<string, string>
  /** The expected type, such as `text/csv`; another type is a refusal, or not from the server. */
  mediaType: string
  /** The file's name if the server sends no usable one. */
  name: string
  /** How long the server may be silent; {@link TRY_TIMEOUT_MS} by default. */
  silenceMs?: number
}

/** The file began, and its end did not come. */
export class FileBroken extends Unreachable {}

/**
 * Reads a file piece by piece. Rejects with `Refusal` if the server refused, with `Unreachable` if no
 * file came, with `FileBroken` if it ended early, and with the signal's reason if the caller aborted.
 */
export async function readDownload(options: DownloadOptions): Promise<DownloadedFile> {
  const { signal: outer, silenceMs = TRY_TIMEOUT_MS } = options
  const silence = new AbortController()
  let Failed = Unreachable
  let timer = setTimeout(() => silence.abort(), silenceMs)
  function restartTimeout() {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMs)
  }
  try {
    const response = await fetch(options.url, {
      ...(options.headers && { headers: options.headers }),
      credentials: 'same-origin',
      signal: outer ? anySignal(outer, silence.signal) : silence.signal,
    })
    restartTimeout()
    if (!response.headers.get('Content-Type')?.startsWith(options.mediaType)) {
      throw refusalOf(await response.json()) ?? new TypeError('neither a file nor an envelope came')
    }
    Failed = FileBroken
    const pieces: Uint8Array<ArrayBuffer>[] = []
    let bytes = 0
    const reader = response.body?.getReader()
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      restartTimeout()
      pieces.push(next.value)
      bytes += next.value.byteLength
      options.onProgress?.(bytes, next.value)
    }
    return {
      name: nameOf(response.headers.get('Content-Disposition')) ?? options.name,
      blob: new Blob(pieces, { type: options.mediaType }),
    }
  } catch (cause) {
    if (outer?.aborted || cause instanceof Refusal) throw cause
    throw new Failed({ timedOut: silence.signal.aborted, cause })
  } finally {
    clearTimeout(timer)
  }
}

/** The file's name in a `Content-Disposition`, if it is a plain one: no path, nothing hidden. */
function nameOf(disposition: string | null): string | null {
  return /filename="(\w[\w.-]*)"/.exec(disposition ?? '')?.[1] ?? null
}
