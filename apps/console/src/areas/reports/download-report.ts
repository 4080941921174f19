/** Downloads the file of a report, and reports the progress. */
import { Refusal } from '@sum28/contract/client.ts'
import type { RequestOf } from '@sum28/contract/route.ts'
import { reportCsv } from '@sum28/contract/staff-reports-routes.ts'
import { Unreachable } from '#src/data/call.ts'

const LINE_END = 10

/**
 * @param request the filter and the order of the report
 * @param onRows called with the number of rows received so far
 * @returns the file, under the name that the server gave it
 * @throws Refusal when the server refused, Unreachable when no answer or only a part of it came
 */
export async function downloadReport(
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
