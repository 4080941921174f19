/** /api/staff/own: the own account of a member of staff, from the first sign-in on. */
import * as z from 'zod/mini'
import { defineRoute } from './define-route.ts'
import {
  email,
  id,
  madePasskey,
  newPassword,
  passkeyAnswer,
  passkeyProof,
  password,
  sixDigits,
  text,
  tick,
} from './fields.ts'
import { passkeyChallengeReply, passkeyCreation, passkeyIds, unix } from './replies.ts'
import { STAFF_ROLES } from './route.ts'
import { defineStaffRoute } from './staff-route.ts'

/** Whether the session's token is set as a cookie that scripts cannot read, as in the console. */
export const tokenLocation = { in_cookie: tick }

/** The reply to a sign-in. */
export const signedIn = z.object({
  /** Empty when the session is in the cookie. */
  token: z.string(),
  name: z.string(),
  role: z.enum(STAFF_ROLES),
})

/**
 * Password and code once more, for what the thief of a session must not do; without them the last `staffProve` counts,
 * for one thing within a minute.
 */
export const freshProof = { password: z.optional(password), totp: z.optional(sixDigits) }

const nameAndPassword = { account: text({ max: 64 }), password }

export const beginEnrolment = defineRoute({
  path: '/api/staff/own/beginEnrolment',
  summary:
    'Begins the enrolment of a member who has not signed in yet: a TOTP secret, which voids an earlier one, and what a passkey is made of',
  auth: 'none',
  rate: 'sign_in',
  request: z.object(nameAndPassword),
  reply: z.object({
    /** Base32, to type into an authenticator app. */
    secret: z.string(),
    /** The same as an address, which a QR code holds. */
    otpauth: z.string(),
    /** Whether the member's role requires a passkey: the secret serves nothing then. */
    passkey_required: z.boolean(),
    passkey: z.object(passkeyCreation),
  }),
})

export const confirmEnrolment = defineRoute({
  path: '/api/staff/own/confirmEnrolment',
  summary: 'Confirms the TOTP secret by a code, sets the member’s own password and signs him in',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({
    ...nameAndPassword,
    totp: sixDigits,
    new_password: newPassword,
    ...tokenLocation,
  }),
  reply: z.extend(signedIn, {
    /** Each can be used once in place of a TOTP code. They are shown only once. */
    recovery_codes: z.array(z.string()),
  }),
})

export const confirmPasskeyEnrolment = defineRoute({
  path: '/api/staff/own/confirmPasskey',
  summary:
    'Enrols the member with a passkey, which takes the place of password and code, and signs him in',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({ ...nameAndPassword, ...madePasskey, ...tokenLocation }),
  reply: signedIn,
})

export const staffPasskeyChallenge = defineRoute({
  path: '/api/staff/passkeyChallenge',
  summary: 'A challenge to sign in at the console with a passkey',
  auth: 'none',
  rate: 'read',
  reply: z.object(passkeyChallengeReply),
})

export const staffPasskeyLogin = defineRoute({
  path: '/api/staff/passkeyLogin',
  summary: 'Signs a member of staff in with a passkey',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({ ...passkeyAnswer, ...tokenLocation }),
  reply: signedIn,
})

export const staffPasskeys = defineStaffRoute({
  path: '/api/staff/own/passkeys',
  summary: "The member's own passkeys, the oldest first",
  action: 'own.session',
  reply: z.object({
    list: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        created_at: unix,
        used_at: z.nullable(unix),
        /** Its count went back: perhaps somebody has a copy, so it signs in no more. */
        cloned: z.boolean(),
      }),
    ),
    /** Whether the member's role requires one. */
    required: z.boolean(),
  }),
})

export const staffProofOptions = defineStaffRoute({
  path: '/api/staff/own/proofOptions',
  summary: 'A challenge by which the member can prove with a passkey that it is him',
  action: 'own.credentials',
  reply: z.object({ ...passkeyChallengeReply, passkeys: passkeyIds }),
})

export const staffProve = defineStaffRoute({
  path: '/api/staff/own/prove',
  summary:
    'Proves by password and code, or by a passkey, that it is the member: for one change of his account within a minute, and for those of passkeys, as a sign-in does too, for five',
  action: 'own.credentials',
  rate: 'write',
  request: z.object({
    /** Either these two or the fields of a passkey's answer. */
    password: z.optional(password),
    totp: z.optional(sixDigits),
    ...passkeyProof,
  }),
})

export const staffPasskeyOptions = defineStaffRoute({
  path: '/api/staff/own/passkeyOptions',
  summary: 'What a browser needs to make a passkey of the member; after a proof',
  action: 'own.credentials',
  reply: z.object(passkeyCreation),
})

export const addStaffPasskey = defineStaffRoute({
  path: '/api/staff/own/addPasskey',
  summary: 'Adds a passkey that a browser has made',
  action: 'own.credentials',
  rate: 'write',
  request: z.object(madePasskey),
})

export const removeStaffPasskey = defineStaffRoute({
  path: '/api/staff/own/removePasskey',
  summary: 'Removes a passkey of the member; after a proof',
  action: 'own.credentials',
  rate: 'write',
  request: z.object({ id }),
})

export const passkeyRoles = defineStaffRoute({
  path: '/api/staff/members/passkeyRoles',
  summary: 'The roles that require a passkey',
  action: 'own.session',
  reply: z.object({ roles: z.array(z.enum(STAFF_ROLES)) }),
})

export const requirePasskey = defineStaffRoute({
  path: '/api/staff/members/requirePasskey',
  summary: 'Requires a passkey at the sign-in of a role, or after a proof no longer',
  action: 'members.change',
  request: z.object({
    role: z.enum(STAFF_ROLES, { error: 'choice' }),
    required: tick,
    ...freshProof,
  }),
})

export const renewRecoveryCodes = defineStaffRoute({
  path: '/api/staff/own/renewRecoveryCodes',
  summary: 'Makes new recovery codes; the earlier ones are void',
  action: 'own.credentials',
  rate: 'write',
  request: z.object(freshProof),
  reply: z.object({ recovery_codes: z.array(z.string()) }),
})

export const changeOwn = defineStaffRoute({
  path: '/api/staff/own/change',
  summary: 'Sets the own password, which ends the other sessions, or the own e-mail address',
  action: 'own.credentials',
  rate: 'write',
  request: z.object({
    ...freshProof,
    /** Only with the present one: who signs in by a passkey alone has none. */
    new_password: z.optional(newPassword),
    email: z.optional(email),
  }),
})

export const ownSession = defineStaffRoute({
  path: '/api/staff/own/session',
  summary: 'Who is signed in, and when the session ends',
  action: 'own.session',
  rate: 'poll',
  reply: z.object({
    name: z.string(),
    role: z.enum(STAFF_ROLES),
    email: z.nullable(z.string()),
    /** Whether a password and a code prove that it is him; otherwise his passkeys alone do. */
    has_password: z.boolean(),
    /** Whether this owner decides alone, by a fresh proof, what otherwise takes two owners. */
    decides_alone: z.boolean(),
    /** The number of unused recovery codes. */
    recovery_codes_left: z.int(),
    /** Seconds until the session ends for inactivity. */
    idle_seconds_left: z.int(),
    /** Seconds until it ends in any case. */
    seconds_left: z.int(),
    /** The operator's time zone, by which days are counted. */
    zone: z.string(),
  }),
})

export const ownSessions = defineStaffRoute({
  path: '/api/staff/own/sessions',
  summary: "The member's own sessions that have not ended, latest first",
  action: 'own.session',
  reply: z.array(
    z.object({
      id: z.int(),
      begun_at: unix,
      seen_at: unix,
      /** The network from which it was begun. */
      address: z.string(),
      /** Whether it is the session of this request. */
      current: z.boolean(),
    }),
  ),
})

export const endOwnSession = defineStaffRoute({
  path: '/api/staff/own/sessions/end',
  summary: "Ends another of the member's own sessions",
  action: 'own.session',
  rate: 'write',
  request: z.object({ id }),
})
