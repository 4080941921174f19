/**
 * /api/user: how and where a player signs in: passkeys, by WebAuthn level 3, second factor, devices, and the change of
 * his address. Binary values travel in base64url.
 */
import * as z from 'zod/mini'
import { defineRoute } from './define-route.ts'
import {
  bytes,
  email,
  factorCode,
  id,
  madePasskey,
  passkeyAnswer,
  passkeyProof,
  password,
  sixDigits,
  text,
  tick,
} from './fields.ts'
import { passkeyChallengeReply, passkeyCreation, passkeyIds, unix, userinfo } from './replies.ts'

export const passkeyChallenge = defineRoute({
  path: '/api/user/passkeyChallenge',
  summary: 'A challenge to sign in with a passkey',
  auth: 'none',
  rate: 'read',
  reply: z.object(passkeyChallengeReply),
})

export const passkeyLogin = defineRoute({
  path: '/api/user/passkeyLogin',
  summary: 'Signs in with a passkey',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({ ...passkeyAnswer, remember: tick }),
  reply: z.object({ userinfo }),
})

export const passkeys = defineRoute({
  path: '/api/user/passkeys',
  summary: 'The passkeys of the player, the oldest first',
  auth: 'token',
  rate: 'read',
  reply: z.object({
    list: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        createtime: unix,
        usedtime: z.nullable(unix),
        /** Its count went back: perhaps somebody has a copy, so it signs in no more. */
        cloned: z.boolean(),
      }),
    ),
  }),
})

export const proofOptions = defineRoute({
  path: '/api/user/proofOptions',
  summary: 'How the player can prove that it is him, with a challenge for a passkey',
  auth: 'token',
  rate: 'read',
  reply: z.object({ ...passkeyChallengeReply, passkeys: passkeyIds }),
})

export const prove = defineRoute({
  path: '/api/user/prove',
  summary: 'Proves by a password or a passkey that it is the player; it counts for five minutes',
  auth: 'token',
  rate: 'write',
  request: z.object({
    /** Either this or the fields of a passkey's answer. */
    password: z.optional(password),
    /** With the password, if the account has a second factor: of the authenticator app, or a recovery code. */
    code: z.optional(factorCode),
    ...passkeyProof,
  }),
})

export const passkeyOptions = defineRoute({
  path: '/api/user/passkeyOptions',
  summary: 'What a browser needs to make a passkey; after a proof',
  auth: 'token',
  rate: 'read',
  reply: z.object(passkeyCreation),
})

export const addPasskey = defineRoute({
  path: '/api/user/addPasskey',
  summary: 'Adds a passkey that a browser has made',
  auth: 'token',
  rate: 'write',
  request: z.object(madePasskey),
})

export const removePasskey = defineRoute({
  path: '/api/user/removePasskey',
  summary: 'Removes a passkey; after a proof',
  auth: 'token',
  rate: 'write',
  request: z.object({ id }),
})

export const devices = defineRoute({
  path: '/api/user/devices',
  summary: 'Where the player is signed in, this device first',
  auth: 'token',
  rate: 'read',
  reply: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        /** Browser and system; empty for other programs. */
        name: z.string(),
        /** When it signed in first, and was last used. */
        createtime: unix,
        usedtime: unix,
        /** The one that asks. */
        current: z.boolean(),
      }),
    ),
  }),
})

export const endDevice = defineRoute({
  path: '/api/user/endDevice',
  summary: 'Signs the player out on one of his devices',
  auth: 'token',
  rate: 'write',
  request: z.object({ id: text({ max: 36 }) }),
})

export const endOtherDevices = defineRoute({
  path: '/api/user/endOtherDevices',
  summary: 'Signs the player out everywhere else',
  auth: 'token',
  rate: 'write',
})

export const secondFactor = defineRoute({
  path: '/api/user/secondFactor',
  summary: 'The state of the second factor',
  auth: 'token',
  rate: 'read',
  reply: z.object({
    /** Since when the player is asked for it; null: it is off. */
    since: z.nullable(unix),
    /** Whether an authenticator app is part of it; his passkeys always are. */
    app: z.boolean(),
    /** The recovery codes that are not used. */
    recovery_codes: z.int(),
  }),
})

export const authenticatorSetup = defineRoute({
  path: '/api/user/authenticatorSetup',
  summary: 'A secret for an authenticator app; after a proof',
  auth: 'token',
  rate: 'read',
  reply: z.object({
    /** As people type it, and as the address that the app opens. */
    secret: z.string(),
    otpauth: z.string(),
    /** The same, sealed: to be sent with the first code. */
    setup: z.string(),
  }),
})

const recoveryCodes = z.object({
  /** Shown once: earlier ones are void. */
  recovery_codes: z.array(z.string()),
})

export const switchFactorOn = defineRoute({
  path: '/api/user/switchFactorOn',
  summary:
    'Switches the second factor on, by an app and its code, or by the passkeys; after a proof',
  auth: 'token',
  rate: 'write',
  request: z.object({ setup: z.optional(bytes), code: z.optional(sixDigits) }),
  reply: recoveryCodes,
})

export const newRecoveryCodes = defineRoute({
  path: '/api/user/newRecoveryCodes',
  summary: 'Makes new recovery codes; after a proof',
  auth: 'token',
  rate: 'write',
  reply: recoveryCodes,
})

export const switchFactorOff = defineRoute({
  path: '/api/user/switchFactorOff',
  summary: 'Switches the second factor off; after a proof',
  auth: 'token',
  rate: 'write',
})

export const takeBack = defineRoute({
  path: '/api/user/takeBack',
  summary:
    'By the link of a mail: signs out everywhere, holds withdrawals and demands a new password',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({ link: bytes }),
  /** Whether the account has its earlier address again. */
  reply: z.object({ address: z.boolean() }),
})

export const mailAddressCodes = defineRoute({
  path: '/api/user/mailAddressCodes',
  summary: 'Mails a code to the present and to a new address of the account; after a proof',
  auth: 'token',
  rate: 'mail',
  request: z.object({ email }),
})

export const changeAddress = defineRoute({
  path: '/api/user/changeAddress',
  summary:
    'Changes the address of the account, by the codes that both addresses got; after a proof',
  auth: 'token',
  rate: 'write',
  request: z.object({ email, old_code: sixDigits, new_code: sixDigits }),
})
