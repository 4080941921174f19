/** /api/user and /api/ems: accounts, sessions, money of one's own. */
import * as z from 'zod/mini'
import {
  dayRange,
  email,
  emailCode,
  newPassword,
  pageFields,
  password,
  required,
  text,
  tick,
  username,
} from './fields.ts'
import { betRecord, ledgerRow, listOf, money, profile, userinfo } from './replies.ts'
import { defineRoute } from './route.ts'

const signedIn = z.object({ userinfo })

/** A small whole number that is optional, as a number or text; empty text and null are absent. */
function optionalChoice(values: readonly number[]) {
  return z.optional(
    z.pipe(
      z.union([z.number(), z.string(), z.null()], { error: 'invalid' }),
      z.transform<number | string | null, number | undefined>((value, context) => {
        if (value === '' || value === null) return undefined
        const choice = values.find((each) => value === each || value === String(each))
        if (choice !== undefined) return choice
        context.issues.push({ code: 'custom', input: value, message: 'choice' })
        return z.NEVER
      }),
    ),
  )
}

export const sendCode = defineRoute({
  method: 'POST',
  path: '/api/ems/send',
  summary: 'Mails a six-digit code; answers alike whoever owns the address',
  auth: 'none',
  rate: 'mail',
  request: z.object({
    email,
    event: z.optional(z.enum(['register', 'resetpwd'], { error: 'choice' })),
    /** The other reading of `event`. */
    purpose: z.optional(z.enum(['register', 'resetpwd'], { error: 'choice' })),
  }),
  reply: z.null(),
})

export const register = defineRoute({
  method: 'POST',
  path: '/api/user/register',
  summary: 'Makes an account: a member with a mailed code, otherwise a visitor (group_id 2)',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({
    username: text({ max: 254 }),
    email: z.optional(z.string({ error: required })),
    code: z.optional(z.string({ error: required })),
    password,
    group_id: optionalChoice([1, 2]),
    /** Whoever invited; what names nobody is passed over and never keeps a player out. */
    inviter_id: z.optional(
      z.pipe(
        z.unknown(),
        z.transform((value) =>
          typeof value === 'number' || typeof value === 'string' ? value : undefined,
        ),
      ),
    ),
    adult: tick,
  }),
  reply: signedIn,
})

/** What a member must send; checked once the group is known. */
export const memberSignUp = z.object({ username, email, code: emailCode, password: newPassword })

/** What a visitor must send: a name, and a password of six characters or more. */
export const visitorSignUp = z.object({
  username,
  password: z
    .string({ error: required })
    .check(z.minLength(6, { error: 'too_short' }), z.maxLength(128, { error: 'too_long' })),
})

export const login = defineRoute({
  method: 'POST',
  path: '/api/user/login',
  summary: 'Signs in by user name or e-mail address',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({ account: text({ max: 254 }), password, remember: tick }),
  reply: signedIn,
})

export const refresh = defineRoute({
  method: 'POST',
  path: '/api/user/refresh',
  summary: 'Trades the remember-me cookie for a fresh token, once',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({}),
  reply: signedIn,
})

export const logout = defineRoute({
  method: 'POST',
  path: '/api/user/logout',
  summary: 'Ends the session and forgets the remembered device',
  auth: 'token',
  rate: 'write',
  request: z.object({}),
  reply: z.null(),
})

export const userInfo = defineRoute({
  method: 'POST',
  path: '/api/user/userInfo',
  summary: 'The profile; it stands in `msg` as well',
  auth: 'token',
  rate: 'poll',
  request: z.object({}),
  reply: profile,
})

export const recharge = defineRoute({
  method: 'POST',
  path: '/api/user/recharge',
  summary: 'Where to deposit: own USDT address, and the bank account where there is one',
  auth: 'member',
  rate: 'read',
  request: z.object({}),
  reply: z.object({
    money,
    usdt: z.optional(z.string()),
    bankname: z.optional(z.string()),
    banknum: z.optional(z.string()),
    bankxm: z.optional(z.string()),
    reference: z.optional(z.string()),
    /** Transfers to the address that are on their way or arrived, newest first. */
    transfers: z.array(
      z.object({
        tx_id: z.string(),
        quantity: money,
        status: z.enum(['seen', 'credited']),
        createtime: z.int(),
      }),
    ),
  }),
})

export const orderList = defineRoute({
  method: 'POST',
  path: '/api/user/orderList',
  summary: "The player's bets, newest first",
  auth: 'token',
  rate: 'read',
  request: z.object({ ...dayRange, status: optionalChoice([0, 1, 2]), ...pageFields }),
  reply: listOf(betRecord),
})

export const quantityLogList = defineRoute({
  method: 'POST',
  path: '/api/user/quantityLogList',
  summary: "The player's movements of money, newest first",
  auth: 'token',
  rate: 'read',
  request: z.object({ ...dayRange, type: optionalChoice([0, 1, 2, 3, 4]), ...pageFields }),
  reply: listOf(ledgerRow),
})
