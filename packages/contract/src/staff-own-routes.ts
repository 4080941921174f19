/** /api/staff/own: the own account of a member of staff, from the first sign-in on. */
import * as z from 'zod/mini'
import { email, id, newPassword, password, sixDigits, text, tick } from './fields.ts'
import { unix } from './replies.ts'
import { defineRoute, type Route, STAFF_ROLES } from './route.ts'
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

/** Password and code once more, of an owner who decides alone because the house has no other. */
export const freshProof = { password: z.optional(password), totp: z.optional(sixDigits) }

const nameAndPassword = { account: text({ max: 64 }), password }

export const beginEnrolment = defineRoute({
  method: 'POST',
  path: '/api/staff/own/beginEnrolment',
  summary: 'Makes the TOTP secret of a member who has not signed in yet; an earlier one is void',
  auth: 'none',
  rate: 'sign_in',
  request: z.object(nameAndPassword),
  reply: z.object({
    /** Base32, to type into an authenticator app. */
    secret: z.string(),
    /** The same as an address, which a QR code holds. */
    otpauth: z.string(),
  }),
})

export const confirmEnrolment = defineRoute({
  method: 'POST',
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

export const renewRecoveryCodes = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/own/renewRecoveryCodes',
  summary: 'Makes new recovery codes; the earlier ones are void',
  action: 'own.credentials',
  rate: 'write',
  request: z.object({ password, totp: sixDigits }),
  reply: z.object({ recovery_codes: z.array(z.string()) }),
})

export const changeOwn = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/own/change',
  summary: 'Sets the own password, which ends the other sessions, or the own e-mail address',
  action: 'own.credentials',
  rate: 'write',
  request: z.object({
    password,
    totp: sixDigits,
    new_password: z.optional(newPassword),
    email: z.optional(email),
  }),
  reply: z.null(),
})

export const ownSession = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/own/session',
  summary: 'Who is signed in, and when the session ends',
  action: 'own.session',
  rate: 'poll',
  request: z.object({}),
  reply: z.object({
    name: z.string(),
    role: z.enum(STAFF_ROLES),
    email: z.nullable(z.string()),
    /** Whether this owner decides alone, by a fresh code, what otherwise takes two owners. */
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
  method: 'POST',
  path: '/api/staff/own/sessions',
  summary: "The member's own sessions that have not ended, latest first",
  action: 'own.session',
  rate: 'read',
  request: z.object({}),
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
  method: 'POST',
  path: '/api/staff/own/sessions/end',
  summary: "Ends another of the member's own sessions",
  action: 'own.session',
  rate: 'write',
  request: z.object({ id }),
  reply: z.null(),
})

/** Every call about the caller's own account, except signing in and out. */
export const OWN_ROUTES: readonly Route[] = [
  beginEnrolment,
  confirmEnrolment,
  renewRecoveryCodes,
  changeOwn,
  ownSession,
  ownSessions,
  endOwnSession,
]
