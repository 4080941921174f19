/** /api/user: deposits and withdrawals, and their protection. */
import * as z from 'zod/mini'
import { defineRoute } from './define-route.ts'
import {
  birthDate,
  branchCode,
  cardOrType,
  centAmount,
  choice,
  dayRange,
  documentNumber,
  id,
  identityText,
  optionalChoice,
  optionalPayeeText,
  optionalText,
  pageFields,
  password,
  payeeText,
  sixDigits,
  visitorPassword,
} from './fields.ts'
import { ledgerRow, listOf, money, payItem, unix, version } from './replies.ts'

export const recharge = defineRoute({
  path: '/api/user/recharge',
  summary: 'Where to deposit: own USDT address, and the bank account where there is one',
  auth: 'member',
  rate: 'read',
  reply: z.object({
    money,
    /** Set aside for withdrawals and of held deposits. */
    held: money,
    version,
    usdt: z.optional(z.string()),
    bankname: z.optional(z.string()),
    banknum: z.optional(z.string()),
    bankxm: z.optional(z.string()),
    reference: z.optional(z.string()),
    /** Transfers to the address, on their way or arrived, newest first. */
    transfers: z.array(
      z.object({
        tx_id: z.string(),
        quantity: money,
        /**
         * seen: in a block that can still be reverted. solid: in a final block. credited: in the balance.
         * returned: it was held, and was paid back.
         */
        status: z.enum(['seen', 'solid', 'credited', 'returned']),
        createtime: z.int(),
        /** On its way: how many blocks confirm it, and about how many it takes until it is solid. */
        confirmations: z.optional(z.int()),
        confirmations_needed: z.optional(z.int()),
      }),
    ),
  }),
})

export const quantityLogList = defineRoute({
  path: '/api/user/quantityLogList',
  summary: "The player's movements of money, newest first",
  auth: 'token',
  rate: 'read',
  request: z.object({ ...dayRange, type: optionalChoice([0, 1, 2, 3, 4]), ...pageFields }),
  reply: listOf(ledgerRow),
})

/** The kind of pay method: 0 bank card, 1 virtual wallet. */
const payType = choice([0, 1])

export const payInfo = defineRoute({
  path: '/api/user/payInfo',
  summary: "The player's bank card (type 0) or virtual wallet (type 1)",
  auth: 'token',
  rate: 'read',
  request: z.object({ type: payType }),
  reply: z.nullable(payItem),
})

export const setPayInfo = defineRoute({
  path: '/api/user/setPayInfo',
  summary: 'Saves a bank card (type 0) or virtual wallet (type 1) in place of the one there was',
  auth: 'token',
  rate: 'write',
  request: z.object({
    type: payType,
    /** Bank: the holder. Wallet: the address. */
    acc: payeeText(100),
    /** Bank: the card number. Wallet: its type. */
    acc_name: cardOrType,
    /** The bank's name; a wallet has none. */
    acc_bank: optionalPayeeText(100),
    mark: optionalText(200),
    sub: branchCode,
    sub_name: optionalPayeeText(100),
  }),
  reply: payItem,
})

export const safetyInfo = defineRoute({
  path: '/api/user/safetyInfo',
  summary: 'Whether a security code is set',
  auth: 'token',
  rate: 'read',
  reply: z.object({ isTrue: z.boolean() }),
})

export const setSafety = defineRoute({
  path: '/api/user/setSafety',
  summary: 'Sets the security code; with the old one where there is one, else after a proof',
  auth: 'token',
  rate: 'sign_in',
  request: z.object({
    new_code: sixDigits,
    old_code: z.optional(sixDigits),
    /** Another name of `old_code`. */
    after_code: z.optional(sixDigits),
    /** The new code once more. Without it, of clients that know no proof, a sign-in of a moment ago proves as much. */
    repeated_code: z.optional(sixDigits),
  }),
})

export const newPass = defineRoute({
  path: '/api/user/newPass',
  summary: 'Changes the password; all other sessions end',
  auth: 'token',
  rate: 'sign_in',
  request: z.object({
    /** Each has other names; the server checks that one is there, and that a member's has 8 characters. */
    new_pass: z.optional(visitorPassword),
    new: z.optional(visitorPassword),
    old_pass: z.optional(password),
    old: z.optional(password),
    after_pass: z.optional(password),
  }),
})

export const withdrawInfo = defineRoute({
  path: '/api/user/withdrawInfo',
  summary: 'What can be withdrawn, where to, and what stands in the way',
  auth: 'token',
  rate: 'read',
  reply: z.object({
    money,
    version,
    pay_list: z.array(payItem),
    min: money,
    /** Until when withdrawals are on hold, as after a change to the account. */
    hold_until: z.nullable(unix),
    /** The open request. */
    pending: z.nullable(
      z.object({
        id: z.int(),
        quantity: money,
        createtime: unix,
        /** Whether it waits until the player's identity is proved. */
        waits_for_identity: z.boolean(),
      }),
    ),
    /** The latest requests, newest first, with the open one. */
    latest: z.array(
      z.object({
        id: z.int(),
        quantity: money,
        /** What has been paid of it, although it is not `sent`; the rest is to be paid, or came back. */
        paid_part: money,
        /** Where to: the bank or the kind of wallet, and the end of its number. */
        payee: z.string(),
        /** sent: paid out by `reference`. returned: approved, but could not be paid; the money came back. */
        status: z.enum(['waiting', 'approved', 'sent', 'rejected', 'returned']),
        createtime: unix,
        approvedtime: z.nullable(unix),
        senttime: z.nullable(unix),
        /** The transaction of a wallet's, or the bank's reference. */
        reference: z.nullable(z.string()),
        /** Why it was rejected or returned. */
        why: z.nullable(z.string()),
      }),
    ),
    /** In how many seconds nine of ten of the latest payouts were sent; null until there are ten. */
    usual_seconds: z.nullable(z.int()),
  }),
})

export const identityInfo = defineRoute({
  path: '/api/user/identity',
  summary: 'What the player has sent to prove his identity, and what became of it',
  auth: 'member',
  rate: 'read',
  reply: z.object({
    /** `none`: nothing is sent yet. After `rejected` it can be sent again. */
    state: z.enum(['none', 'waiting', 'accepted', 'rejected']),
    /** Why it was rejected. */
    reason: z.nullable(z.string()),
    /** Pictures that are uploaded, sent or not. */
    pictures: z.int(),
    /** From which sum of withdrawals it is asked for; null: it is not. */
    asked_from: z.nullable(money),
  }),
})

export const addIdentityPicture = defineRoute({
  path: '/api/user/identityPicture',
  summary: 'Takes a picture of a document (JPEG, PNG, WebP or GIF), to be sent with the rest',
  auth: 'member',
  rate: 'upload',
  file: 'file',
  reply: z.object({ pictures: z.int() }),
})

export const clearIdentityPictures = defineRoute({
  path: '/api/user/clearIdentityPictures',
  summary: 'Deletes the pictures of documents that are not sent yet',
  auth: 'member',
  rate: 'write',
})

export const sendIdentity = defineRoute({
  path: '/api/user/sendIdentity',
  summary:
    'Sends name, date of birth, address, number and the uploaded pictures of a document to be checked',
  auth: 'member',
  rate: 'write',
  request: z.object({
    name: identityText({ max: 100 }),
    birth_date: birthDate,
    address: identityText({ max: 300 }),
    document: documentNumber,
  }),
})

export const withdrawAction = defineRoute({
  path: '/api/user/withdrawAction',
  summary: 'Requests a withdrawal: the money is held at once',
  auth: 'member',
  rate: 'write',
  request: z.object({
    pay_id: z.optional(id),
    /** Instead of pay_id, as in setPayInfo: 0 bank card, 1 virtual wallet. */
    type: optionalChoice([0, 1]),
    /** Instead of both, a pay item's status: 0 virtual wallet, 1 bank card. */
    status: optionalChoice([0, 1]),
    money: centAmount,
    security_code: z.optional(sixDigits),
    /** Other names of `security_code`. */
    securityCode: z.optional(sixDigits),
    safety: z.optional(sixDigits),
  }),
  reply: z.object({ id: z.int(), quantity: money, after_quantity: money, version: z.string() }),
})
