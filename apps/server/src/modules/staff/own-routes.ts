/** The calls of a member of staff about his own account: the first sign-in, his session, his other sessions. */
import * as wire from '@sum28/contract/staff-own-routes.ts'
import { bind, type CallFor, type RouteBinding } from '#src/http/binding.ts'
import { isRefusal, refuseByWord } from '#src/refusal/refusal.ts'
import { unixSeconds } from '#src/wire-form.ts'
import { asStaff } from './as-staff.ts'
import { beginEnrolment, confirmEnrolment, renewRecoveryCodes } from './enrol-staff.ts'
import { endSessionOfOwn, liveSessionsOf, recoveryCodesLeft } from './enrolment-store.ts'
import type { SignInDeps } from './log-in-staff.ts'

const seconds = (ms: number) => Math.max(0, Math.floor(ms / 1000))

export function staffAccountRoutes(deps: SignInDeps & { zone: string }): RouteBinding[] {
  const { db, zone } = deps

  function begin({ input, address }: CallFor<typeof wire.beginEnrolment>) {
    return beginEnrolment(deps, { ...input, address })
  }

  async function confirm({ input, address, extras }: CallFor<typeof wire.confirmEnrolment>) {
    const { account, password, totp, new_password: newPassword } = input
    const done = await confirmEnrolment(deps, { account, password, totp, newPassword, address })
    if (isRefusal(done)) return done
    const { token, name, role, recoveryCodes } = done
    if (input.in_cookie) extras.setStaffCookie(token)
    extras.say('success.signed_in')
    return { token: input.in_cookie ? '' : token, name, role, recovery_codes: recoveryCodes }
  }

  async function renew({ input, caller, address }: CallFor<typeof wire.renewRecoveryCodes>) {
    const { name: account, token: session } = caller
    const codes = await renewRecoveryCodes(deps, { ...input, account, session, address })
    return isRefusal(codes) ? codes : { recovery_codes: codes }
  }

  return [
    // Each answers with a secret that is not stored. Repeating the first call makes another secret; the others need
    // an unused code.
    bind(wire.beginEnrolment, begin, { store: () => null, replay: begin }),
    bind(wire.confirmEnrolment, confirm, { store: () => null, replay: confirm }),
    bind(wire.renewRecoveryCodes, renew, { store: () => null, replay: renew }),

    bind(wire.ownSession, async ({ caller: { staffId, name, role, idleMsLeft, msLeft } }) => ({
      ...{ name, role, zone },
      recovery_codes_left: await recoveryCodesLeft(db, staffId),
      idle_seconds_left: seconds(idleMsLeft),
      seconds_left: seconds(msLeft),
    })),

    bind(wire.ownSessions, async ({ caller }) => {
      const sessions = await liveSessionsOf(db, caller)
      return sessions.map(({ begunAt, seenAt, ...session }) => ({
        ...session,
        begun_at: unixSeconds(begunAt),
        seen_at: unixSeconds(seenAt),
      }))
    }),

    bind(wire.endOwnSession, async ({ input: { id }, caller }) => {
      const result = await asStaff(db, (tx) => endSessionOfOwn(tx, { id, session: caller.token }))
      if (isRefusal(result)) return result
      return result === 'closed' ? null : refuseByWord(result)
    }),
  ]
}
