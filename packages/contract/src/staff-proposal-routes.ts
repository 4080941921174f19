/** /api/staff/proposals: what one member of staff proposes and another confirms. Each kind has its own call to propose. */
import * as z from 'zod/mini'
import { centAmount, email, id, issue, optionalText, paymentReference, text } from './fields.ts'
import { money, unix } from './replies.ts'
import type { StaffRole } from './route.ts'
import { mayDo } from './staff-actions.ts'
import { listPage, listRequest, turn } from './staff-list.ts'
import { defineStaffRoute } from './staff-route.ts'

/** A gift, or a correction up or down. */
export const ADJUSTMENT_KINDS = ['bonus', 'credit', 'debit'] as const

export const PROPOSAL_KINDS = [
  'room_change',
  'odds_change',
  'void',
  'code_reset',
  'factor_reset',
  'address_reset',
  'bank_balance',
  'bank_deposit',
  'assignment',
  'refund',
  'reversal',
  'member',
  'bank_account',
  ...ADJUSTMENT_KINDS,
] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

/** The kinds that only owners confirm. */
export const OF_OWNERS: readonly ProposalKind[] = ['member', 'bank_account']

/** The kinds that a role does not see, because they contain data of staff. */
export function unseenKinds(role: StaffRole): readonly ProposalKind[] {
  return mayDo(role, 'members.read') ? [] : ['member']
}

/** The kinds of proposals that anyone on duty may end, without the right to confirm. */
export const ENDED_ON_DUTY: readonly ProposalKind[] = [
  'code_reset',
  'factor_reset',
  'address_reset',
]

/**
 * `proposed` waits for another person. What has its effect later is `confirmed` and then `effective`, like a change of a
 * room, which begins with a round; everything else has its effect when it is confirmed. `refused` by another person,
 * `withdrawn` by its maker.
 */
export const PROPOSAL_STATES = [
  'proposed',
  'confirmed',
  'effective',
  'refused',
  'withdrawn',
] as const

export const proposal = z.object({
  id: z.int(),
  kind: z.enum(PROPOSAL_KINDS),
  /** What it is about, as in the audit log: `room:11`, `round:1:20261120001`, `player:7`, `transfer:<transaction>:0`. */
  subject: z.string(),
  /** The name of the room, round or player. */
  name: z.string(),
  user_id: z.nullable(z.int()),
  /** What changes: `odds <outcome>`, the name of an amount, a `reference` or a `day`. Null before: it is new. */
  changes: z.array(
    z.object({
      what: z.string(),
      /** The room, where it is about several. */
      of: z.optional(z.string()),
      before: z.nullable(z.string()),
      after: z.string(),
    }),
  ),
  /** Null for a bank deposit, whose reference is its reason. */
  reason: z.nullable(z.string()),
  state: z.enum(PROPOSAL_STATES),
  /**
   * Whether the caller may confirm it, or release its payment or give it back; false: it waits for another person; null:
   * for nobody, or it is too late.
   */
  yours: z.nullable(z.boolean()),
  proposed_by: z.string(),
  proposed_at: unix,
  /** Who confirmed it first, where a third person has to confirm it too. */
  first_confirmed_by: z.nullable(z.string()),
  confirmed_by: z.nullable(z.string()),
  confirmed_at: z.nullable(unix),
  /** What the confirming person added. */
  confirmed_with: z.nullable(z.string()),
  /** Who refused or withdrew it. */
  ended_by: z.nullable(z.string()),
  ended_at: z.nullable(unix),
  end_reason: z.nullable(z.string()),
  effective_at: z.nullable(unix),
  /** Of a change of a room: the first round with these terms. */
  effective_with: z.nullable(z.string()),
})
export type Proposal = z.infer<typeof proposal>

export const listProposals = defineStaffRoute({
  path: '/api/staff/proposals',
  summary: 'Proposals of all kinds, latest first: who, when, before and after',
  action: 'proposals.read',
  request: listRequest(['id'], {
    id: z.optional(id),
    kind: z.optional(z.enum(PROPOSAL_KINDS, { error: 'choice' })),
    state: z.optional(z.enum(PROPOSAL_STATES, { error: 'choice' })),
    turn,
    subject: optionalText(100),
    /** The number of a proposal; its player's number or name; who proposed it; or the bank's reference. */
    q: optionalText(100),
  }),
  reply: listPage(proposal),
})

/** `proposed` after a confirmation: a third person has to confirm it too. */
const proposalState = z.object({ state: z.enum(PROPOSAL_STATES) })

export const confirmProposal = defineStaffRoute({
  path: '/api/staff/proposals/confirm',
  summary: 'Confirms a proposal of another person; a large bank deposit is confirmed by two others',
  action: 'proposals.confirm',
  /**
   * `other_than`: as the bank deposit was recorded; the confirming person says too that this is another transfer.
   * `reference`: that of the payment by which a held deposit was paid back.
   */
  request: z.object({ id, other_than: z.optional(id), reference: z.optional(paymentReference) }),
  reply: proposalState,
})

export const endProposal = defineStaffRoute({
  path: '/api/staff/proposals/end',
  summary: 'Withdraws the own proposal, or refuses that of another person',
  action: 'proposals.end',
  request: z.object({ id, reason: text({ max: 500 }) }),
  reply: proposalState,
})

export const proposeVoid = defineStaffRoute({
  path: '/api/staff/rounds/proposeVoid',
  summary: 'Proposes to void a round that has not ended; another person confirms',
  action: 'rounds.proposeVoid',
  request: z.object({ game_id: id, issue, note: text({ max: 200 }) }),
})

export const proposeCodeReset = defineStaffRoute({
  path: '/api/staff/players/proposeCodeReset',
  summary: 'Proposes to delete a player’s security code, and tells him; another person confirms',
  action: 'players.proposeSecurityReset',
  request: z.object({ user_id: id, reason: text({ max: 500 }) }),
})

export const proposeFactorReset = defineStaffRoute({
  path: '/api/staff/players/proposeFactorReset',
  summary:
    'Proposes to switch a player’s second factor off, and tells him; another person confirms',
  action: 'players.proposeSecurityReset',
  request: z.object({ user_id: id, reason: text({ max: 500 }) }),
})

export const proposeAddressReset = defineStaffRoute({
  path: '/api/staff/players/proposeAddressReset',
  summary:
    'Proposes another address for a player who has lost his mailbox, and tells him; another person confirms',
  action: 'players.proposeSecurityReset',
  request: z.object({ user_id: id, email, reason: text({ max: 500 }) }),
})

export const adjustmentLimits = defineStaffRoute({
  path: '/api/staff/money/adjustmentLimits',
  summary: 'How much each role may propose or confirm for one player within 24 hours',
  action: 'proposals.read',
  reply: z.object({ list: z.array(z.object({ role: z.string(), quantity: money })) }),
})

export const proposeAdjustment = defineStaffRoute({
  path: '/api/staff/money/proposeAdjustment',
  summary:
    'Proposes a bonus or a correction of a balance, within the limit of the role or of a deposit',
  action: 'adjustments.propose',
  request: z.object({
    user_id: id,
    kind: z.enum(ADJUSTMENT_KINDS, { error: 'choice' }),
    money: centAmount,
    /** The player reads it. */
    reason: text({ max: 200 }),
    /**
     * Of a debit: the number of the proposal that booked the deposit which it takes back: by bank, or an assigned
     * transfer. Then no limit of a role counts, and what is left, without the decimals after the second, is all of it.
     */
    deposit: z.optional(id),
  }),
  reply: z.object({ id: z.int() }),
})
