/** /api/fairness: the public data to check a draw, what the house owes and holds, and how returns were. */
import * as z from 'zod/mini'
import { defineRoute } from './define-route.ts'
import { choice, id, issue, orFault, required } from './fields.ts'
import { hex, publishedChain, publishedRound } from './receipt.ts'
import { money, unix } from './replies.ts'
import { RETURN_DAYS } from './shared-times.ts'

export const chains = defineRoute({
  method: 'GET',
  path: '/api/fairness/chains',
  summary: 'The seed chains of all games with their commitments, oldest first',
  auth: 'none',
  rate: 'read',
  reply: z.array(publishedChain),
})

export const fairnessRound = defineRoute({
  method: 'GET',
  path: '/api/fairness/round',
  summary: 'What decided a round, or will decide it: for checking its draw',
  auth: 'none',
  rate: 'read',
  request: z.object({ game_id: id, issue }),
  reply: publishedRound,
})

/** What a device has kept, and two states of two files each. */
const SIZES_MAX = 5

/** Sizes that a log has had, each greater than the one before it: `900,950,1000`. */
const logSizes = z.pipe(
  z.string({ error: required }).check(z.maxLength(100, { error: 'too_long' })),
  orFault('number', (value: string) => {
    const sizes = value
      .split(',')
      .map((size) => (/^[1-9][0-9]{0,15}$/.test(size) ? Number(size) : 0))
    const areGrowing = sizes.every((size, at) => size > (sizes[at - 1] ?? 0))
    const areSome = sizes.length > 1 && sizes.length <= SIZES_MAX
    return areSome && areGrowing && sizes.every(Number.isSafeInteger) ? sizes : undefined
  }),
)

export const logGrowth = defineRoute({
  method: 'GET',
  path: '/api/fairness/growth',
  summary:
    'That the public log only grew between some of its sizes: a proof from each to the next (RFC 6962)',
  auth: 'none',
  rate: 'read',
  request: z.object({ sizes: logSizes }),
  reply: z.object({ proofs: z.array(z.array(hex)) }),
})

/** What the house owed to people at a count, and what it held then. */
const owedCount = z.object({
  number: z.int(),
  counted_at: unix,
  owed: money,
  /** What the listed addresses held on the chain, at a block. */
  on_chain: money,
  block: z.nullable(z.int()),
  /** As two persons entered it from the bank's statement: nothing proves it. */
  at_bank: z.nullable(money),
  /** The root of the sum tree, in hex, and its number of places. */
  root: z.string(),
  size: z.int(),
})
export type OwedCountOnWire = z.infer<typeof owedCount>

const reserveAddress = z.object({
  id: z.int(),
  address: z.string(),
  /** What the address's key has signed, as wallets sign messages (TIP-191), and the signature in hex. */
  statement: z.string(),
  signature: z.string(),
  /** At the last count; null before it is counted. */
  quantity: z.nullable(money),
})

export const reserves = defineRoute({
  method: 'GET',
  path: '/api/fairness/reserves',
  summary: 'What the house owed to people and what it held, at the last counts, newest first',
  auth: 'none',
  rate: 'read',
  reply: z.object({ counts: z.array(owedCount), addresses: z.array(reserveAddress) }),
})

export const returns = defineRoute({
  method: 'GET',
  path: '/api/fairness/returns',
  summary: 'What people staked on each outcome of a game and were paid, against theory',
  auth: 'none',
  rate: 'read',
  request: z.object({ game_id: id, days: choice(RETURN_DAYS) }),
  reply: z.object({
    /** The last game day that is compared; null before the first. */
    day: z.nullable(z.string()),
    /** Comparisons of all games, outcomes and periods, and those that luck hardly explains. */
    tests: z.int(),
    unlikely: z.int(),
    list: z.array(
      z.object({
        rule_id: z.int(),
        /** Rounds with stakes on the outcome, and those in which it won. */
        rounds: z.int(),
        wins: z.int(),
        turnover: money,
        payouts: money,
        /** By the odds of the bets, and the standard deviation of the payouts. */
        expected: money,
        deviation: money,
        /** At most how likely luck brings so large a deviation anywhere among all comparisons. */
        chance: z.number(),
      }),
    ),
  }),
})
export type OutcomeReturn = z.infer<typeof returns.reply>['list'][number]
