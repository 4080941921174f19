/** The calls of the console's page of the audit log. */
import * as wire from '@sum28/contract/staff-audit-routes.ts'
import type { Database } from '#src/db/database.ts'
import { listed } from '#src/db/list.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { auditList, auditRows } from './audit.ts'

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
      return listed(await auditRows(db, zone, { ...ask, fromDay, untilDay }))
    }),
    bind(wire.auditChain, async () => {
      const { list, total } = await auditList(db, { limit: 1, offset: 0 })
      return { rows: total, broken_at: await findBreak(list) }
    }),
  ]
}
