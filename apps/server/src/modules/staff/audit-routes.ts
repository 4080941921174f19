/** The calls of the console's page of the audit log. */
import * as wire from '@sum28/contract/staff-audit-routes.ts'
import type { Database } from '#src/db/database.ts'
import { unixSeconds } from '#src/formats/unix-seconds.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import { auditList } from './audit.ts'
import { auditRows } from './audit-rows.ts'

export function auditRoutes({
  db,
  zone,
  findBreak,
}: {
  db: Database
  /** The operator's time zone, by its IANA name. */
  zone: string
  /** Returns the first row that differs from the chain, a seal or a copy; null if none is found. */
  findBreak: (shown: readonly { id: number }[]) => Promise<number | null>
}): RouteBinding[] {
  return [
    bind(wire.listAuditRows, async ({ input }) => {
      const { from_day: fromDay, until_day: untilDay, ...ask } = input
      const page = await auditRows(db, zone, { ...ask, fromDay, untilDay })
      if (isRefusal(page)) return page
      const list = page.list.map((row) => ({ ...row, at: unixSeconds(row.at) }))
      return { list, next: page.next }
    }),
    bind(wire.auditChain, async () => {
      const { list, total } = await auditList(db, { limit: 1, offset: 0 })
      return { rows: total, broken_at: await findBreak(list) }
    }),
  ]
}
