import * as audit from '@sum28/contract/staff-audit-routes.ts'
import * as house from '@sum28/contract/staff-house-routes.ts'
import * as wire from '@sum28/contract/staff-routes.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, type CallFor, type RouteBinding } from '#src/http/binding.ts'
import { pagingOf } from '#src/http/page.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import { unixSeconds } from '#src/wire-form.ts'
import { auditList, auditRows } from './audit.ts'
import { auditChecker } from './audit-check.ts'
import type { AuditHeads } from './audit-heads.ts'
import { allMembers, closeColleague } from './close-colleague.ts'
import { freezeAccount, unfreezeAccount } from './freeze-account.ts'
import { frozenPage } from './freeze-store.ts'
import { logInStaff, type SignInDeps } from './log-in-staff.ts'
import { staffAccountRoutes } from './own-routes.ts'
import { endSession } from './staff-store.ts'

export type StaffDeps = SignInDeps & {
  heads: AuditHeads
  /** The operator's time zone, by its IANA name. */
  zone: string
}

export function staffRoutes(deps: StaffDeps): RouteBinding[] {
  const { db } = deps
  const findBreak = auditChecker(db, deps)

  async function signIn({ input, address, extras }: CallFor<typeof wire.staffLogin>) {
    const { account, password, totp, recovery_code: recoveryCode } = input
    const done = await logInStaff(deps, { account, password, totp, recoveryCode, address })
    extras.say('success.signed_in')
    if (isRefusal(done) || !input.in_cookie) return done
    extras.setStaffCookie(done.token)
    return { ...done, token: '' }
  }

  return [
    // The token is not stored: repeating the call signs in again, with an unused code.
    ...staffAccountRoutes(deps),
    bind(audit.listAuditRows, async ({ input }) => {
      const { from_day: fromDay, until_day: untilDay, ...ask } = input
      return wirePage(await auditRows(db, deps.zone, { ...ask, fromDay, untilDay }))
    }),
    bind(audit.auditChain, async () => {
      const { list, total } = await auditList(db, { limit: 1, offset: 0 })
      return { rows: total, broken_at: await findBreak(list) }
    }),
    bind(wire.staffLogin, signIn, { store: () => null, replay: signIn }),

    bind(wire.staffLogout, async ({ caller, address, extras }) => {
      extras.clearStaffCookie()
      await endSession(db, { tokenHash: caller.tokenHash, address })
      extras.say('success.signed_out')
      return null
    }),

    bind(wire.auditLog, async ({ input }) => {
      const page = input.page ?? 1
      const { list, total } = await auditList(db, pagingOf({ ...input, page }))
      const brokenAt = await findBreak(list)
      const rows = list.map((row) => ({ ...row, at: unixSeconds(row.at) }))
      return { list: rows, total, page, broken_at: brokenAt }
    }),

    bind(house.listFrozenAccounts, async ({ input }) => wirePage(await frozenPage(db, input))),
    bind(house.freezeAccount, ({ input: { user_id: playerId, reason }, caller }) =>
      freezeAccount(db, { playerId, reason, session: caller.token }),
    ),
    bind(house.unfreezeAccount, ({ input: { user_id: playerId, reason }, caller }) =>
      unfreezeAccount(db, { playerId, reason, session: caller.token }),
    ),

    bind(house.listMembers, async ({ input }) =>
      (await allMembers(db, input.q)).map(({ createdAt, ...member }) => ({
        ...member,
        createtime: unixSeconds(createdAt),
      })),
    ),
    bind(house.closeMember, ({ input, caller }) =>
      closeColleague(db, { name: input.name, session: caller.token }),
    ),
  ]
}
