/** The files of the console's lists: all rows that a list has by its filters, not only a page of them. */
import {
  columnsOf,
  csvOf,
  isList,
  LIST_LIMIT_MAX,
  type ListColumn,
} from '@sum28/contract/staff-list.ts'
import type { StaffRoute } from '@sum28/contract/staff-route.ts'
import type { Database } from '#src/db/database.ts'
import type { ListPage } from '#src/db/list.ts'
import { inSnapshot } from '#src/db/read-snapshot.ts'
import { csvText, stamper } from '#src/formats/csv.ts'
import type { ReadPage, RouteBinding } from '#src/http/call.ts'
import type { StaffCaller } from '#src/http/caller.ts'
import { bindDownload, type DownloadBinding } from '#src/http/serve-downloads.ts'
import { auditExport } from '#src/modules/staff/audit.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'

/** How long a file may take: it holds its snapshot and its connection for that time. */
const LIMIT_MS = 300_000

type FileDeps = Pick<Resources, 'db' | 'fileDb' | 'timeZone'>

/** A file for each list among the bindings. It is written in the audit log who took which rows. */
export function listFiles(deps: FileDeps, bindings: readonly RouteBinding[]): DownloadBinding[] {
  return bindings.flatMap(({ route, readPage }) =>
    readPage && isList(route) ? [listFile(deps, route, readPage)] : [],
  )
}

function listFile(
  { db, fileDb, timeZone }: FileDeps,
  route: StaffRoute,
  readPage: ReadPage,
): DownloadBinding {
  const columns = columnsOf(route)
  const names = columns.map(({ name }) => name)
  const stamp = stamper(timeZone)
  const list = route.path.replace('/api/staff/', '').replaceAll('/', '-')
  return bindDownload(csvOf(route), async ({ input, caller }) => {
    const { after: _after, limit: _limit, ...ask } = input as Record<string, unknown>
    // A request that the list refuses begins no file.
    const refused = await readPage(db, { ...ask, limit: 1 }, caller)
    if (isRefusal(refused)) return refused
    const unlogged = await auditExport(db, { session: caller.token, list, ask })
    if (unlogged) return unlogged
    return {
      name: `${list}.csv`,
      chunks: csvText(names, wholeList(fileDb, { readPage, ask, caller }), {
        cells: (row) => columns.map((column) => cellOf(row, column, stamp)),
      }),
    }
  })
}

/**
 * All pages of a list from one snapshot, each read when the one before is taken.
 *
 * @throws if a page is refused, so that no reader takes a part of the list for the whole
 */
function wholeList(
  fileDb: Database,
  { readPage, ask, caller }: { readPage: ReadPage; ask: object; caller: StaffCaller },
): AsyncGenerator<object[]> {
  return inSnapshot(fileDb, LIMIT_MS, async function* (tx) {
    for (let after: string | undefined; ; ) {
      const asked = { ...ask, after, limit: LIST_LIMIT_MAX }
      const page: ListPage<object> | Refusal = await readPage(tx, asked, caller)
      if (isRefusal(page)) throw new Error(`a page of a list is refused: ${page.refused}`)
      if (page.next === null) return page.list
      yield page.list
      after = page.next
    }
  })
}

/** @param stamp writes an instant, in milliseconds since 1970 */
function cellOf(row: object, { path, isInstant }: ListColumn, stamp: (at: number) => string) {
  let value: unknown = row
  for (const name of path) value = (value as Record<string, unknown> | null)?.[name] ?? null
  if (value === null) return ''
  if (isInstant) return stamp(Number(value) * 1_000)
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.join(' ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
