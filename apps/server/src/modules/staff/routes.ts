import * as wire from '@sum28/contract/staff-routes.ts'
import type { Database } from '#src/db/database.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { pagingOf } from '#src/http/page.ts'
import type { Sealer } from '#src/sealer.ts'
import { appendAudit, auditBreak, auditList } from './audit.ts'
import { logInStaff } from './log-in-staff.ts'
import { endSession } from './staff-store.ts'

export function staffRoutes(deps: { db: Database; sealer: Sealer }): RouteBinding[] {
  const { db } = deps

  return [
    bind(wire.staffLogin, async ({ input, address, answer }) => {
      answer.say('success.signed_in')
      return logInStaff(deps, { ...input, address })
    }),

    bind(wire.staffLogout, async ({ caller, address, answer }) => {
      await db.transaction(async (tx) => {
        // Two at once end it once.
        if (!(await endSession(tx, caller.tokenHash))) return
        await appendAudit(tx, {
          staffId: caller.staffId,
          action: 'signed_out',
          subject: `staff:${caller.staffId}`,
          details: { address },
        })
      })
      answer.say('success.signed_out')
      return null
    }),

    bind(wire.auditLog, async ({ input }) => {
      const page = input.page ?? 1
      const [{ list, total }, brokenAt] = await Promise.all([
        auditList(db, pagingOf({ ...input, page })),
        auditBreak(db),
      ])
      const rows = list.map((row) => ({ ...row, at: Math.floor(row.at / 1000) }))
      return { list: rows, total, page, broken_at: brokenAt }
    }),
  ]
}
