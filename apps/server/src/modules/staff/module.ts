/** Staff: signing in, the list of members, the audit log. */
import * as audit from '@sum28/contract/staff-audit-routes.ts'
import * as house from '@sum28/contract/staff-house-routes.ts'
import * as own from '@sum28/contract/staff-own-routes.ts'
import * as wire from '@sum28/contract/staff-routes.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, bindList, type CallFor, type RouteBinding } from '#src/http/call.ts'
import { answerIn, relyingPartyOf } from '#src/modules/accounts/passkeys.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { deriveKey } from '#src/secrets/secret-cipher.ts'
import { unixSeconds, unixSecondsOrNull, wireOf } from '#src/wire-form.ts'
import { actAsStaff, auditLength, auditRows, loggedNames } from './audit.ts'
import { auditChecker, notedBreak } from './audit-check.ts'
import { type AuditHeads, auditHeads } from './audit-heads.ts'
import {
  allMembers,
  closeColleague,
  endColleagueSession,
  type MailsOfStaff,
  proposeMember,
  resetColleague,
} from './change-members.ts'
import { ensureDemoStaff } from './demo-staff.ts'
import {
  beginEnrolment,
  changeOwn,
  confirmEnrolment,
  liveSessionsOf,
  proveIfGiven,
  renewRecoveryCodes,
} from './enrol-staff.ts'
import { freezeAccount, frozenPage, unfreezeAccount } from './freeze-account.ts'
import { logInStaff, staffGuard } from './log-in-staff.ts'
import type { OwnersProof } from './proposal.ts'
import * as passkeys from './staff-passkeys.ts'
import { staffFinder } from './staff-session.ts'
import { endSession, memberByName, PROVES_BY_PASSKEY } from './staff-store.ts'

export async function staffModule(
  deps: Pick<Resources, 'db' | 'config' | 'secretKeys' | 'cipher'>,
) {
  const { db, config, secretKeys, cipher } = deps
  const { dataDir } = config
  const ofStaff = config.role === 'all' || config.role === 'api'
  if (config.profile === 'demo' && ofStaff) await ensureDemoStaff({ db, cipher, dataDir })
  const heads = auditHeads(dataDir)
  const guard = staffGuard({
    db,
    key: deriveKey(secretKeys[0], 'sign-ins of staff'),
    on: config.rateLimits,
  })
  const signIn = { db, cipher, guard }
  const mails: MailsOfStaff = {
    cipher,
    consoleAt: `${config.consoleUrl ?? config.publicUrl ?? `http://localhost:${config.port}`}/console`,
  }
  const ownersProof: OwnersProof = async ({ input, caller, address }) => {
    const { staffId, name: account, token: session, role } = caller
    const { password, totp } = input
    const wrong = await proveIfGiven(signIn, { account, password, totp, session, address })
    return wrong ?? { staffId, session, role }
  }
  return {
    mails,
    ownersProof,
    findStaff: staffFinder(db),
    isPasskey: (credentialId: string) => passkeys.isStaffPasskey(db, credentialId),
    heads,
    routes: staffRoutes({
      ...signIn,
      heads,
      mails,
      ownersProof,
      zone: config.schedule.timeZone,
      codeKey: deriveKey(secretKeys[0], 'passkeys of staff'),
      url: config.consoleUrl ?? config.publicUrl,
    }),
  }
}

type StaffDeps = passkeys.StaffPasskeyDeps & {
  /** Where the console stands, whose passkeys members use; null: at the address that each of them called. */
  url: string | null
  heads: AuditHeads
  mails: MailsOfStaff
  ownersProof: OwnersProof
  /** The operator's time zone, by its IANA name. */
  zone: string
}

function staffRoutes(deps: StaffDeps): RouteBinding[] {
  const { db, mails, ownersProof } = deps
  const findBreak = auditChecker(db, deps)

  async function signIn(call: CallFor<typeof wire.staffLogin>) {
    const { account, password, totp, recovery_code: recoveryCode } = call.input
    const { address } = call
    const tried = { account, password, totp, recoveryCode, address }
    return signedIn(await logInStaff(deps, tried), call)
  }

  async function add(call: CallFor<typeof house.proposeMember>) {
    const owner = await ownersProof(call)
    if (isRefusal(owner)) return owner
    const { seen_role: role, seen_email: email = null, seen_active: active, ...of } = call.input
    const seen = role ? { role, email, active: active === 1 } : null
    return proposeMember(db, mails, { ...of, seen }, owner)
  }

  return [
    // The token is not stored: repeating the call signs in again, with an unused code.
    ...ownRoutes(deps),
    ...passkeyRoutes(deps),
    bindList(db, audit.listAuditRows, async (db, input) => {
      const { from_day: fromDay, until_day: untilDay, subject_kind: subjectKind, ...rest } = input
      const { subject_id: subjectId, ...ask } = rest
      const days = { fromDay, untilDay }
      return wirePage(await auditRows(db, deps.zone, { ...ask, ...days, subjectKind, subjectId }))
    }),
    bind(audit.auditNames, () => loggedNames(db)),
    bind(audit.auditChain, async () => ({
      rows: await auditLength(db),
      broken_at: (await findBreak()) ?? (await notedBreak(db))?.row ?? null,
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
    bind(house.unfreezeAccount, ({ input: { user_id: playerId, frozen_at, reason }, caller }) =>
      unfreezeAccount(db, {
        ...{ playerId, frozenAt: frozen_at * 1_000 },
        ...{ reason, session: caller.token },
      }),
    ),

    bind(house.listMembers, async ({ input }) =>
      (await allMembers(db, input.q)).map(({ createdAt, lastSignIn, codesGuessed, ...member }) => ({
        ...member,
        createtime: unixSeconds(createdAt),
        last_sign_in: unixSecondsOrNull(lastSignIn),
        codes_guessed: codesGuessed,
      })),
    ),
    bind(house.proposeMember, add),
    bind(house.resetMember, ({ input: { name, seen_email: email }, caller }) =>
      resetColleague(db, mails, { name, email, session: caller.token }),
    ),
    bind(house.memberSessions, async ({ input: { name }, caller: { tokenHash } }) => {
      const member = await memberByName(db, name)
      if (!member) return refuse('not_found', { field: 'name' })
      return (await liveSessionsOf(db, { staffId: member.id, tokenHash })).map((session) =>
        wireOf(session),
      )
    }),
    bind(house.endMemberSession, ({ input: { id }, caller: { token: session } }) =>
      endColleagueSession(db, { id, session }),
    ),
    bind(house.closeMember, ({ input, caller }) =>
      closeColleague(db, { name: input.name, session: caller.token }),
    ),
  ]
}

const seconds = (ms: number) => Math.max(0, Math.floor(ms / 1000))

function ownRoutes(deps: StaffDeps): RouteBinding[] {
  const { db, zone } = deps

  async function begin({ input, address, origin }: CallFor<typeof own.beginEnrolment>) {
    const begun = await beginEnrolment(deps, { ...input, address })
    if (isRefusal(begun)) return begun
    const { member, ...secret } = begun
    const passkey = await passkeys.enrolmentOptions(deps, member, relyingPartyOf(deps.url, origin))
    return { ...secret, passkey, passkey_required: member.passkeyRequired }
  }

  async function confirm(call: CallFor<typeof own.confirmEnrolment>) {
    const { account, password, totp, new_password: newPassword } = call.input
    const { address } = call
    const done = await confirmEnrolment(deps, { account, password, totp, newPassword, address })
    if (isRefusal(done)) return done
    const { recoveryCodes, ...member } = done
    return signedIn({ ...member, recovery_codes: recoveryCodes }, call)
  }

  async function renew({ input, caller, address }: CallFor<typeof own.renewRecoveryCodes>) {
    const { name: account, token: session } = caller
    const codes = await renewRecoveryCodes(deps, { ...input, account, session, address })
    return isRefusal(codes) ? codes : { recovery_codes: codes }
  }

  function change({ input, caller, address }: CallFor<typeof own.changeOwn>) {
    const { new_password: newPassword, email, password, totp } = input
    const { name: account, token: session } = caller
    return changeOwn(deps, {
      account,
      session,
      address,
      password,
      totp,
      ...(newPassword !== undefined && { newPassword }),
      ...(email !== undefined && { email }),
    })
  }

  return [
    // Each answers with a secret that is not stored. Repeating the first call makes another secret; the others need
    // an unused code.
    bind(own.beginEnrolment, begin, { store: () => null, replay: begin }),
    bind(own.confirmEnrolment, confirm, { store: () => null, replay: confirm }),
    bind(own.renewRecoveryCodes, renew, { store: () => null, replay: renew }),

    bind(own.changeOwn, change),

    bind(own.ownSession, async ({ caller: { staffId, name, role, idleMsLeft, msLeft } }) => ({
      name,
      role,
      zone,
      ...(await db.one<{
        email: string | null
        has_password: boolean
        decides_alone: boolean
        recovery_codes_left: number
      }>(
        `select email, password_hash <> '' and not ${PROVES_BY_PASSKEY} as has_password, staff.is_only_owner(id) as decides_alone,
             (select count(*)::integer from staff.recovery_code where staff_id = $1 and used_at is null) as recovery_codes_left
           from staff.member where id = $1`,
        [staffId],
      )),
      idle_seconds_left: seconds(idleMsLeft),
      seconds_left: seconds(msLeft),
    })),

    bind(own.ownSessions, async ({ caller }) => {
      return (await liveSessionsOf(db, caller)).map((session) => wireOf(session))
    }),

    bind(own.endOwnSession, ({ input: { id }, caller: { token } }) =>
      actAsStaff(db, { call: ['staff.end_own_session', id, token], done: 'closed' }),
    ),
  ]
}

function passkeyRoutes(deps: StaffDeps): RouteBinding[] {
  const { db } = deps
  const partyOf = ({ origin }: { origin: string }) => relyingPartyOf(deps.url, origin)

  async function logIn(call: CallFor<typeof own.staffPasskeyLogin>) {
    const { input: answer, address } = call
    const tried = { answer, address, party: partyOf(call) }
    return signedIn(await passkeys.logInStaffByPasskey(deps, tried), call)
  }

  async function enrol(call: CallFor<typeof own.confirmPasskeyEnrolment>) {
    const { input, address } = call
    const made = { ...input, address, party: partyOf(call) }
    return signedIn(await passkeys.enrolByPasskey(deps, made), call)
  }

  async function prove(call: CallFor<typeof own.staffProve>) {
    const { input, caller, address } = call
    const { password, totp } = input
    const answer = answerIn(input)
    if (!answer && password === undefined) return malformed({ password: 'required' })
    const wrong = answer
      ? await passkeys.proveByStaffPasskey(deps, {
          ...caller,
          address,
          party: partyOf(call),
          answer,
        })
      : await proveIfGiven(deps, {
          account: caller.name,
          address,
          session: caller.token,
          password,
          totp,
        })
    return wrong ?? passkeys.noteProof(deps, caller.token)
  }

  return [
    bind(own.staffPasskeyChallenge, (call) => passkeys.signInChallenge(deps, partyOf(call))),
    // A challenge is good once: a repeated call needs the next one.
    bind(own.staffPasskeyLogin, logIn, { store: () => null, replay: logIn }),
    bind(own.confirmPasskeyEnrolment, enrol, { store: () => null, replay: enrol }),

    bind(own.staffPasskeys, async ({ caller: { staffId, name } }) => {
      const list = await passkeys.passkeysOfStaff(db, staffId)
      const member = await memberByName(db, name)
      return {
        list: list.map(({ id, name, cloned, createdAt, usedAt }) =>
          wireOf({ id, name, cloned, createdAt, usedAt }),
        ),
        required: member?.passkeyRequired ?? false,
      }
    }),

    bind(own.staffProofOptions, (call) =>
      passkeys.staffProofOptions(deps, { ...call.caller, party: partyOf(call) }),
    ),
    bind(own.staffProve, prove),
    bind(own.staffPasskeyOptions, (call) =>
      passkeys.staffPasskeyOptions(deps, { ...call.caller, party: partyOf(call) }),
    ),
    bind(own.addStaffPasskey, (call) =>
      passkeys.addStaffPasskey(deps, { ...call.caller, ...call.input, party: partyOf(call) }),
    ),
    bind(own.removeStaffPasskey, ({ input: { id }, caller: { token } }) =>
      passkeys.removeStaffPasskey(deps, { id, token }),
    ),

    bind(own.passkeyRoles, async () => ({ roles: await passkeys.rolesWithPasskey(db) })),
    bind(own.requirePasskey, async (call) => {
      const owner = await deps.ownersProof(call)
      if (isRefusal(owner)) return owner
      const { role, required } = call.input
      return passkeys.requirePasskey(deps, { role, required, token: owner.session })
    }),
  ]
}

/** The reply to a sign-in, with the token where the client wants it. */
function signedIn<Done extends { token: string }>(
  done: Done | Refusal,
  {
    input,
    extras,
  }: Pick<CallFor<typeof own.staffPasskeyLogin>, 'extras'> & {
    input: { in_cookie: boolean }
  },
) {
  if (isRefusal(done)) return done
  if (input.in_cookie) extras.setStaffCookie(done.token)
  extras.say('success.signed_in')
  return { ...done, token: input.in_cookie ? '' : done.token }
}
