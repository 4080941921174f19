/** /api/user and /api/ems: accounts, sessions, and a player's own bets. */
import * as z from 'zod/mini'
import { defineDownload, defineRoute } from './define-route.ts'
import {
  account,
  dayRange,
  documentNumber,
  email,
  factorCode,
  newPassword,
  optionalChoice,
  optionalText,
  pageFields,
  password,
  required,
  sixDigits,
  text,
  tick,
  username,
  visitorPassword,
} from './fields.ts'
import { fullBet } from './receipt.ts'
import { betRecord, listOf, money, profile, unix, userinfo } from './replies.ts'

const signedIn = z.object({ userinfo })

export const sendCode = defineRoute({
  path: '/api/ems/send',
  summary: 'Mails a six-digit code; answers alike whoever owns the address',
  auth: 'none',
  rate: 'mail',
  request: z.object({
    email,
    event: z.optional(z.enum(['register', 'resetpwd'], { error: 'choice' })),
    /** Another name of `event`. */
    purpose: z.optional(z.enum(['register', 'resetpwd'], { error: 'choice' })),
  }),
})

export const register = defineRoute({
  path: '/api/user/register',
  summary: 'Makes an account: a member with a mailed code, otherwise a visitor (group_id 2)',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({
    /** An unsuitable name of a visitor is replaced by `guest` and the time; the reply says which. */
    username: z.optional(
      z.union([z.string().check(z.maxLength(254)), z.number()], { error: required }),
    ),
    email: optionalText(254),
    /** Read as a code of six digits once it is known that a member registers. */
    code: z.optional(z.union([z.string().check(z.maxLength(64)), z.number()], { error: required })),
    password,
    /** 2 for a visitor; any other value is ignored. */
    group_id: z.optional(
      z.pipe(
        z.unknown(),
        z.transform((value) => (value === 2 || value === '2' ? 2 : 1)),
      ),
    ),
    /** The inviter; an unknown value is ignored and never prevents registration. */
    inviter_id: z.optional(
      z.pipe(
        z.unknown(),
        z.transform((value) =>
          typeof value === 'number' || typeof value === 'string' ? value : undefined,
        ),
      ),
    ),
    adult: tick,
    remember: tick,
  }),
  reply: signedIn,
})

/** What a member must send; checked once the group is known. */
export const memberSignUp = z.object({ username, email, code: sixDigits, password: newPassword })

/** What a visitor must send: a password of at least six characters. */
export const visitorSignUp = z.object({ password: visitorPassword })

export const login = defineRoute({
  path: '/api/user/login',
  summary: 'Signs in by user name or e-mail address',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({
    account,
    password,
    remember: tick,
    /** If second_factor_required was the answer without it. */
    code: z.optional(factorCode),
  }),
  reply: signedIn,
})

export const refresh = defineRoute({
  path: '/api/user/refresh',
  summary: 'Trades the remember-me cookie for a fresh token, once',
  auth: 'none',
  rate: 'sign_in',
  reply: signedIn,
})

export const resetPassword = defineRoute({
  path: '/api/user/resetpwd',
  summary: 'Sets a new password by a mailed code; all sessions of the account end',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({ email, captcha: sixDigits, newpassword: newPassword }),
})

export const logout = defineRoute({
  path: '/api/user/logout',
  summary:
    "Ends the session of the token; and the device of the cookie, if it is older and the same player's, or its mark names nobody",
  auth: 'none',
  rate: 'write',
})

export const userInfo = defineRoute({
  path: '/api/user/userInfo',
  summary: 'The profile; it stands in `msg` as well',
  auth: 'token',
  rate: 'own_poll',
  reply: profile,
})

export const saveProfile = defineRoute({
  path: '/api/user/profile',
  summary: 'Saves an avatar or the number of an identity document',
  auth: 'token',
  rate: 'write',
  /** The picture itself, instead of the url of an earlier upload. */
  file: 'avatar',
  request: z.object({
    /** `preset:1` … `preset:8`, or the url or fullurl of the player's own upload. */
    avatar: optionalText(500),
    /** Stored encrypted, and returned masked. */
    idcard: documentNumber,
  }),
  reply: profile,
})

export const upload = defineRoute({
  path: '/api/Common/upload',
  summary: 'Takes a picture (JPEG, PNG, WebP or GIF) and makes a square one of it, for an avatar',
  auth: 'token',
  rate: 'upload',
  file: 'file',
  reply: z.object({
    /** The picture's path, which `profile` takes as an avatar. */
    url: z.string(),
    /** The path with the product's address before it. */
    fullurl: z.string(),
  }),
})

export const invitees = defineRoute({
  path: '/api/user/invitees',
  summary: 'The link that invites, and when it has brought somebody; newest first',
  auth: 'token',
  rate: 'read',
  request: z.object({ ...pageFields }),
  reply: z.object({
    link: z.string(),
    total: z.int(),
    page: z.int(),
    /** When each of them registered: masked names would tell whose bets are in a room's feed. */
    list: z.array(z.object({ createtime: unix })),
  }),
})

export const orderList = defineRoute({
  path: '/api/user/orderList',
  summary: "The player's bets, newest first",
  auth: 'token',
  rate: 'read',
  request: z.object({ ...dayRange, status: optionalChoice([0, 1, 2]), ...pageFields }),
  reply: listOf(betRecord),
})

export const orderTotals = defineRoute({
  path: '/api/user/orderTotals',
  summary: "What the player's bets of some days come to: those that orderList lists",
  auth: 'token',
  rate: 'read',
  request: z.object({ ...dayRange, status: optionalChoice([0, 1, 2]) }),
  reply: z.object({
    count: z.int(),
    /** The sum of all stakes, including pending and refunded bets. */
    quantity: money,
    payout: money,
    /** The sum of the bets' profits: payouts minus stakes of settled bets only. */
    profit: money,
    /** The parts of `quantity` that are pending and that were refunded. */
    pending: money,
    refunded: money,
  }),
})

export const orderCsv = defineDownload({
  path: '/api/user/orderCsv',
  summary: "The player's bets of some days, oldest first, as a table for a spreadsheet",
  auth: 'token',
  mediaType: 'text/csv',
  request: z.object({ ...dayRange }),
})

export const orderInfo = defineRoute({
  path: '/api/user/orderInfo',
  summary: 'One bet in full, with its receipt: for its player alone',
  auth: 'token',
  rate: 'read',
  request: z.object({ orderNo: text({ max: 64 }) }),
  reply: fullBet,
})
