/** /api/user: passkeys, by WebAuthn level 3, and where a player is signed in. Binary values travel in base64url. */
import * as z from 'zod/mini'
import { id, madePasskey, passkeyAnswer, passkeyProof, password, text, tick } from './fields.ts'
import { passkeyChallengeReply, passkeyCreation, passkeyIds, unix, userinfo } from './replies.ts'
import { defineRoute } from './route.ts'

export const passkeyChallenge = defineRoute({
  method: 'POST',
  path: '/api/user/passkeyChallenge',
  summary: 'A challenge to sign in with a passkey',
  auth: 'none',
  rate: 'read',
  request: z.object({}),
  reply: z.object(passkeyChallengeReply),
})

export const passkeyLogin = defineRoute({
  method: 'POST',
  path: '/api/user/passkeyLogin',
  summary: 'Signs in with a passkey',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({ ...passkeyAnswer, remember: tick }),
  reply: z.object({ userinfo }),
})

export const passkeys = defineRoute({
  method: 'POST',
  path: '/api/user/passkeys',
  summary: 'The passkeys of the player, the oldest first',
  auth: 'token',
  rate: 'read',
  request: z.object({}),
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
  method: 'POST',
  path: '/api/user/proofOptions',
  summary: 'How the player can prove that it is him, with a challenge for a passkey',
  auth: 'token',
  rate: 'read',
  request: z.object({}),
  reply: z.object({ ...passkeyChallengeReply, passkeys: passkeyIds }),
})

export const prove = defineRoute({
  method: 'POST',
  path: '/api/user/prove',
  summary: 'Proves by a password or a passkey that it is the player; it counts for five minutes',
  auth: 'token',
  rate: 'write',
  request: z.object({
    /** Either this or the fields of a passkey's answer. */
    password: z.optional(password),
    ...passkeyProof,
  }),
  reply: z.null(),
})

export const passkeyOptions = defineRoute({
  method: 'POST',
  path: '/api/user/passkeyOptions',
  summary: 'What a browser needs to make a passkey; after a proof',
  auth: 'token',
  rate: 'read',
  request: z.object({}),
  reply: z.object(passkeyCreation),
})

export const addPasskey = defineRoute({
  method: 'POST',
  path: '/api/user/addPasskey',
  summary: 'Adds a passkey that a browser has made',
  auth: 'token',
  rate: 'write',
  request: z.object(madePasskey),
  reply: z.null(),
})

export const removePasskey = defineRoute({
  method: 'POST',
  path: '/api/user/removePasskey',
  summary: 'Removes a passkey; after a proof',
  auth: 'token',
  rate: 'write',
  request: z.object({ id }),
  reply: z.null(),
})

export const devices = defineRoute({
  method: 'POST',
  path: '/api/user/devices',
  summary: 'Where the player is signed in, this device first',
  auth: 'token',
  rate: 'read',
  request: z.object({}),
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
  method: 'POST',
  path: '/api/user/endDevice',
  summary: 'Signs the player out on one of his devices',
  auth: 'token',
  rate: 'write',
  request: z.object({ id: text({ max: 36 }) }),
  reply: z.null(),
})

export const endOtherDevices = defineRoute({
  method: 'POST',
  path: '/api/user/endOtherDevices',
  summary: 'Signs the player out everywhere else',
  auth: 'token',
  rate: 'write',
  request: z.object({}),
  reply: z.null(),
})
