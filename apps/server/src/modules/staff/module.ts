/** Staff: signing in, the list of members, the audit log. */
import * as audit from '@sum28/contract/staff-audit-routes.ts'
import * as house from '@sum28/contract/staff-house-routes.ts'
import * as own from '@sum28/contract/staff-own-routes.ts'
import * as wire from '@sum28/contract/staff-routes.ts'
import { callFunction } from '#src/db/database.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, bindList, type CallFor, type RouteBinding } from '#src/http/call.ts'
import { isRefusal, refuseByWord } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { deriveKey } from '#src/secrets/secret-cipher.ts'
import { unixSeconds } from '#src/wire-form.ts'
import { asStaff, auditLength, auditRows } from './audit.ts'
import { auditChecker } from './audit-check.ts'
import { type AuditHeads, auditHeads } from './audit-heads.ts'
import { allMembers, closeColleague } from './close-colleague.ts'
import { ensureDemoStaff } from './demo-staff.ts'
import {
  beginEnrolment,
  confirmEnrolment,
  liveSessionsOf,
  recoveryCodesLeft,
  renewRecoveryCodes,
} from './enrol-staff.ts'
import { freezeAccount, frozenPage, unfreezeAccount } from './freeze-account.ts'
import { logInStaff, type SignInDeps, staffGuard } from './log-in-staff.ts'
import { staffFinder } from './staff-session.ts'
import { endSession } from './staff-store.ts'

export async function staffModule(
  deps: Pick<Resources, 'db' | 'config' | 'secretKeys' | 'cipher'>,
) {
  const { db, config, secretKeys, cipher } = deps
  const { dataDir } = config
  const ofStaff = config.role === 'all' || config.role === 'api'
  if (config.profile === 'demo' && ofStaff) await ensureDemoStaff({ db, cipher, dataDir })
  const heads = auditHeads(dataDir)
  return {
    findStaff: staffFinder(db),
    /** Where the audit log's end is recorded. */
    heads,
    routes: staffRoutes({
      db,
      cipher,
      heads,
      guard: staffGuard({
        db,
        key: deriveKey(secretKeys[0], 'sign-ins of staff'),
        on: config.rateLimits,
      }),
      zone: config.schedule.timeZone,
    }),
  }
}

type StaffDeps = SignInDeps & {
  heads: AuditHeads
  /** The operator's time zone, by its IANA name. */
  zone: string
}

function staffRoutes(deps: StaffDeps): RouteBinding[] {
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
    ...ownRoutes(deps),
    bindList(db, audit.listAuditRows, async (db, input) => {
      const { from_day: fromDay, until_day: untilDay, ...ask } = input
      return wirePage(await auditRows(db, deps.zone, { ...ask, fromDay, untilDay }))
    }),
    bind(audit.auditChain, async () => ({
      rows: await auditLength(db),
      broken_at: await findBreak(),
    })),
    bind(wire.staffLogin, signIn, { store: () => null, replay: signIn }),

    bind(wire.staffLogout, async ({ caller, address, extras }) => {
      extras.clearStaffCookie()
      await endSession(db, { tokenHash: caller.tokenHash, address })
      extras.say('success.signed_out')
      return null
    }),

    bindList(db, house.listFrozenAccounts, async (db, input) =>
      wirePage(await frozenPage(db, input)),
    ),
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

const seconds = (ms: number) => Math.max(0, Math.floor(ms / 1000))

function ownRoutes(deps: SignInDeps & { zone: string }): RouteBinding[] {
  const { db, zone } = deps

  function begin({ input, address }: CallFor<typeof own.beginEnrolment>) {
    return beginEnrolment(deps, { ...input, address })
  }

  async function confirm({ input, address, extras }: CallFor<typeof own.confirmEnrolment>) {
    const { account, password, totp, new_password: newPassword } = input
    const done = await confirmEnrolment(deps, { account, password, totp, newPassword, address })
    if (isRefusal(done)) return done
    const { token, name, role, recoveryCodes } = done
    if (input.in_cookie) extras.setStaffCookie(token)
    extras.say('success.signed_in')
    return { token: input.in_cookie ? '' : token, name, role, recovery_codes: recoveryCodes }
  }

  async function renew({ input, caller, address }: CallFor<typeof own.renewRecoveryCodes>) {
    const { name: account, token: session } = caller
    const codes = await renewRecoveryCodes(deps, { ...input, account, session, address })
    return isRefusal(codes) ? codes : { recovery_codes: codes }
  }

  return [
    // Each answers with a secret that is not stored. Repeating the first call makes another secret; the others need
    // an unused code.
    bind(own.beginEnrolment, begin, { store: () => null, replay: begin }),
    bind(own.confirmEnrolment, confirm, { store: () => null, replay: confirm }),
    bind(own.renewRecoveryCodes, renew, { store: () => null, replay: renew }),

    bind(own.ownSession, async ({ caller: { staffId, name, role, idleMsLeft, msLeft } }) => ({
      ...{ name, role, zone },
      recovery_codes_left: await recoveryCodesLeft(db, staffId),
      idle_seconds_left: seconds(idleMsLeft),
      seconds_left: seconds(msLeft),
    })),

    bind(own.ownSessions, async ({ caller }) => {
      const sessions = await liveSessionsOf(db, caller)
      return sessions.map(({ begunAt, seenAt, ...session }) => ({
        ...session,
        begun_at: unixSeconds(begunAt),
        seen_at: unixSeconds(seenAt),
      }))
    }),

    bind(own.endOwnSession, async ({ input: { id }, caller }) => {
      const result = await asStaff(db, (tx) =>
        callFunction<'closed' | 'not_found'>(tx, 'staff.end_own_session', id, caller.token),
      )
      if (isRefusal(result)) return result
      return result === 'closed' ? null : refuseByWord(result)
    }),
  ]
}
