/** /api/staff/players: player protection in the console: similar accounts, early signs, contacts. */
import * as z from 'zod/mini'
import { centAmount, day, id, optionalChoice, optionalText, text } from './fields.ts'
import { money, unix } from './replies.ts'
import { listPage, listRequest } from './staff-list.ts'
import { defineStaffRoute } from './staff-route.ts'

const LIKENESS_STATES = ['open', 'released', 'confirmed'] as const

export const likeness = z.object({
  id: z.int(),
  /** The account in question, and the similar one, which is excluded or a child’s. */
  user_id: z.int(),
  username: z.string(),
  like_user_id: z.int(),
  like_username: z.string(),
  /** Whether the similar account is excluded now, or a child’s: else there is nothing to confirm. */
  like_excluded: z.boolean(),
  /** `person`: name and date of birth of the identity that was sent. */
  like_in: z.enum(['email', 'document', 'wallet', 'card', 'device', 'person']),
  /** Whether the account may neither bet nor deposit until it is decided. */
  holds: z.boolean(),
  state: z.enum(LIKENESS_STATES),
  found_at: unix,
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(unix),
  reason: z.nullable(z.string()),
})
export type Likeness = z.infer<typeof likeness>

export const listLikenesses = defineStaffRoute({
  path: '/api/staff/players/likenesses',
  summary: 'Accounts that look like an excluded player’s or a child’s, newest first',
  action: 'players.read',
  request: listRequest(['id'], {
    state: z.optional(z.enum(LIKENESS_STATES, { error: 'choice' })),
    /** Of one player, on either side. */
    user_id: z.optional(id),
    /** A player's number or name. */
    q: optionalText(100),
  }),
  reply: listPage(likeness),
})

/** `again`: it is decided otherwise than before, and what stood only by that decision ends. */
const decision = z.object({ id, reason: text({ max: 500 }), again: optionalChoice([1]) })

export const releaseLikeness = defineStaffRoute({
  path: '/api/staff/players/releaseLikeness',
  summary: 'Decides that an account is another person’s than the similar one: it is held no more',
  action: 'players.review',
  request: decision,
})

export const confirmLikeness = defineStaffRoute({
  path: '/api/staff/players/confirmLikeness',
  summary:
    'Decides that two accounts are one person’s: the exclusion applies to it, a child’s hold to both',
  action: 'players.review',
  request: decision,
})

export const SIGN_KINDS = [
  'deposits_growing',
  'limits_raised',
  'chasing_losses',
  'nights',
  'withdrawals_rejected',
] as const

/** Facts of a sign, each with its day. Amounts are in u, like all money on the wire. */
const fact = z.object({
  /** The day, or the first day of the week. */
  day: z.string(),
  /** The names of the figures are those of `docs/operating.md`. */
  values: z.record(z.string(), z.string()),
})

const sign = z.object({
  kind: z.enum(SIGN_KINDS),
  /** The first and the last day of the days in a row on which it was found. */
  since_day: z.string(),
  until_day: z.string(),
  facts: z.array(fact),
})
export type Sign = z.infer<typeof sign>

const listedSign = z.extend(sign, {
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  /** When staff last noted that they were in contact with the player. */
  contact_at: z.nullable(unix),
})
export type ListedSign = z.infer<typeof listedSign>

export const listSigns = defineStaffRoute({
  path: '/api/staff/players/signs',
  summary: 'Players with early signs of play that gets out of hand, the latest sign first',
  action: 'players.read',
  request: listRequest(['id'], {
    kind: z.optional(z.enum(SIGN_KINDS, { error: 'choice' })),
    /** Of one player. */
    user_id: z.optional(id),
    /** A player's number or name. */
    q: optionalText(100),
  }),
  reply: listPage(listedSign),
})

const CHANNELS = ['phone', 'mail', 'chat'] as const

export const playerContacts = defineStaffRoute({
  path: '/api/staff/players/contacts',
  summary: 'When staff were in contact with a player about his play, newest first',
  action: 'players.read',
  request: listRequest(['id'], { user_id: id }),
  reply: listPage(
    z.object({
      id: z.int(),
      by: z.string(),
      written_at: unix,
      /** The day of the contact. */
      day: z.string(),
      channel: z.enum(CHANNELS),
      text: z.string(),
    }),
  ),
})

export const addContact = defineStaffRoute({
  path: '/api/staff/players/contact',
  summary: 'Notes a contact with a player about his play: when, how, and what was said',
  action: 'players.note',
  request: z.object({
    user_id: id,
    /** In the operator's zone, today or up to 30 days before; absent: today. */
    day: z.optional(day),
    channel: z.enum(CHANNELS, { error: 'choice' }),
    text: text({ max: 500 }),
  }),
})

/** `return`: that a player asked for the end of his self-exclusion, which comes a day later. */
export const PROTECTION_KINDS = [
  'time_out',
  'self_exclusion',
  'return',
  'limit',
  'contact',
] as const

const protectionEntry = z.object({
  id: z.string(),
  /** When it began, was asked for, was set, or was written down. */
  at: unix,
  kind: z.enum(PROTECTION_KINDS),
  user_id: z.int(),
  username: z.string(),
  /** When the player may bet again; null: not known, as long as he has not asked to return. */
  ends_at: z.nullable(unix),
  /** Of a self-exclusion: when its player may ask for its end at the earliest. */
  may_return_at: z.nullable(unix),
  /** Of a change of a limit, which is the player's own. `same`: a raise that was asked for is dropped. */
  limit_change: z.nullable(z.enum(['lowered', 'raise_asked', 'raised', 'same'])),
  limit_kind: z.nullable(z.enum(['deposit', 'loss', 'stake'])),
  limit_period: z.nullable(z.enum(['day', 'week', 'month'])),
  /** The limit before, and after it; null: none. */
  limit_before: z.nullable(money),
  quantity: z.nullable(money),
  /** Of a contact: by whom, how, and what was said. */
  by: z.nullable(z.string()),
  channel: z.nullable(z.enum(CHANNELS)),
  text: z.nullable(z.string()),
})
export type ProtectionEntry = z.infer<typeof protectionEntry>

export const listProtection = defineStaffRoute({
  path: '/api/staff/players/protection',
  summary:
    'The register of protection, the latest first: time-outs, self-exclusions, returns, changes of own limits and contacts',
  action: 'players.read',
  request: listRequest(['at'], {
    kind: z.optional(z.enum(PROTECTION_KINDS, { error: 'choice' })),
    /** A player's number or name. */
    q: optionalText(100),
  }),
  reply: listPage(protectionEntry),
})

export const IDENTITY_STATES = ['waiting', 'accepted', 'rejected'] as const

const identity = z.object({
  user_id: z.int(),
  username: z.string(),
  state: z.enum(IDENTITY_STATES),
  sent_at: unix,
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(unix),
  reject_reason: z.nullable(z.string()),
})

export const listIdentities = defineStaffRoute({
  path: '/api/staff/identities',
  summary: 'What players sent to prove their identity, the latest first: state and who checked it',
  action: 'identity.read',
  request: listRequest(['sent_at'], {
    state: z.optional(z.enum(IDENTITY_STATES, { error: 'choice' })),
    user_id: z.optional(id),
  }),
  reply: listPage(identity),
})

export const seeIdentity = defineStaffRoute({
  path: '/api/staff/identities/see',
  summary: 'Name, date of birth, address and document of a player; each look is in the audit log',
  action: 'identity.see',
  request: z.object({ user_id: id }),
  reply: z.object({
    ...identity.shape,
    /** For the decision: it is about what was seen. */
    version: z.int(),
    name: z.string(),
    birth_date: z.string(),
    /** Whether he is 18 by that date. */
    adult: z.boolean(),
    /** When he last gave a date under 18, and its year; null: never. */
    under_age_said_at: z.nullable(unix),
    under_age_born: z.nullable(z.int()),
    address: z.string(),
    /** The document's number; null: he gave none. */
    document: z.nullable(z.string()),
    /** WebP, in base64. */
    pictures: z.array(z.string()),
  }),
})

export const decideIdentity = defineStaffRoute({
  path: '/api/staff/identities/decide',
  summary:
    'Accepts what a player sent, or rejects it with a reason that he is told; under 18 it is accepted with a picture alone, and he may withdraw and not play',
  action: 'identity.decide',
  request: z.object({
    user_id: id,
    version: id,
    decision: z.enum(['accept', 'reject'], { error: 'choice' }),
    /** Why it is rejected. */
    reason: optionalText(200),
  }),
})

export const takeBackIdentity = defineStaffRoute({
  path: '/api/staff/identities/takeBack',
  summary:
    'Rejects an accepted identity that was found false, by another person than who accepted it, with a reason that the player is told',
  action: 'identity.decide',
  request: z.object({ user_id: id, version: id, reason: text({ max: 200 }) }),
})

export const identityTerms = defineStaffRoute({
  path: '/api/staff/identities/terms',
  summary: 'From which sum of withdrawals a player has to prove his identity',
  action: 'identity.read',
  reply: z.object({ asked_from: z.nullable(money) }),
})

export const setIdentityTerms = defineStaffRoute({
  path: '/api/staff/identities/setTerms',
  summary: 'Sets from which sum of withdrawals identity is asked for; without one it is not',
  action: 'identity.setTerms',
  request: z.object({ asked_from: z.optional(centAmount) }),
})
