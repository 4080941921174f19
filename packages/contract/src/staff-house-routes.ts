/** /api/staff: stops of betting, robots, frozen accounts, and members of staff. */
import * as z from 'zod/mini'
import { count, email, id, instant, optionalChoice, optionalText, text } from './fields.ts'
import { unix } from './replies.ts'
import { STAFF_ROLES } from './route.ts'
import { listPage, listRequest } from './staff-list.ts'
import { freshProof, ownSessions } from './staff-own-routes.ts'
import { defineStaffRoute } from './staff-route.ts'

/** Why betting is stopped; `other` is explained in a note. */
export const STOP_REASONS = ['maintenance', 'fault', 'investigation', 'other'] as const

const STOP_SCOPES = ['all', 'game', 'room'] as const

/** The reason of a stop; null without a stop or a reason. */
const stop = z.nullable(
  z.object({
    /** Another one after each change. */
    id: z.int(),
    reason: z.enum(STOP_REASONS),
    note: z.nullable(z.string()),
    stopped_by: z.string(),
    stopped_at: unix,
  }),
)

export const stopState = z.object({
  /** Whether a person or a plan has stopped all betting; what the clocks stop, nobody opens. */
  stopped: z.boolean(),
  stop,
  /** Since when betting is stopped because the clocks of database and beacon disagree; null: they agree. */
  clocks_apart_since: z.nullable(unix),
  /** Stops that begin and end by themselves, the next first; those that are over are left out. */
  planned: z.array(
    z.object({
      id: z.int(),
      scope: z.enum(STOP_SCOPES),
      /** A game's or a room's id; 0 for all. */
      subject_id: z.int(),
      begins_at: unix,
      ends_at: unix,
      told: z.string(),
      planned_by: z.string(),
      begun: z.boolean(),
    }),
  ),
  games: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      stopped: z.boolean(),
      stop,
      rooms: z.array(
        z.object({
          id: z.int(),
          title: z.string(),
          type: z.int(),
          /** Whether the room itself is stopped; it also takes no bets while its game or all games are stopped. */
          stopped: z.boolean(),
          stop,
        }),
      ),
    }),
  ),
})
export type StopState = z.infer<typeof stopState>

/** The subject of a stop: all betting, or a game or room by its id. */
const stopSubject = {
  scope: z.enum(STOP_SCOPES, { error: 'choice' }),
  id: z.optional(z.nullable(id)),
}

export const stops = defineStaffRoute({
  path: '/api/staff/stops',
  summary: 'What is stopped, why, by whom and since when',
  action: 'stops.read',
  reply: stopState,
})

export const stopBetting = defineStaffRoute({
  path: '/api/staff/stops/stop',
  summary:
    'Stops a room, a game or all betting at once; bets that were taken are played to their end',
  action: 'stops.stop',
  request: z.object({
    ...stopSubject,
    reason: z.enum(STOP_REASONS, { error: 'choice' }),
    note: optionalText(200),
  }),
  reply: stopState,
})

export const openBetting = defineStaffRoute({
  path: '/api/staff/stops/open',
  summary: 'Ends the stop of a room, of a game or of all betting',
  action: 'stops.open',
  request: z.object({
    ...stopSubject,
    /** The `id` of the stop that was seen, none if it had no reason; another stop is not ended. */
    stop_id: z.optional(z.nullable(id)),
  }),
  reply: stopState,
})

export const planStop = defineStaffRoute({
  path: '/api/staff/stops/plan',
  summary: 'Plans a stop of betting, which begins and ends by itself; players are told of it',
  action: 'stops.open',
  request: z.object({
    ...stopSubject,
    /** Unix seconds. */
    begins_at: instant,
    ends_at: instant,
    /** What players are told. */
    told: text({ max: 200 }),
  }),
  reply: stopState,
})

export const cancelPlannedStop = defineStaffRoute({
  path: '/api/staff/stops/cancelPlanned',
  summary: 'Cancels a planned stop that has not begun',
  action: 'stops.open',
  request: z.object({ id }),
  reply: stopState,
})

/** The most robots that a room may have. */
export const ROBOTS_MAX = 50

export const robotState = z.object({
  /** Whether this installation runs robots at all (`ROBOTS`). */
  on: z.boolean(),
  rooms: z.array(
    z.object({
      id: z.int(),
      game_id: z.int(),
      title: z.string(),
      type: z.int(),
      /** How many robots bet; 0: none. */
      robots: z.int(),
    }),
  ),
})
export type RobotState = z.infer<typeof robotState>

export const robots = defineStaffRoute({
  path: '/api/staff/robots',
  summary: 'How many house robots each room has',
  action: 'robots.read',
  reply: robotState,
})

export const setRobots = defineStaffRoute({
  path: '/api/staff/robots/set',
  summary: 'Sets how many house robots a room has: fewer at once, more from the next round on',
  action: 'robots.set',
  request: z.object({
    plan_id: id,
    robots: count.check(z.refine((number) => number <= ROBOTS_MAX, { error: 'robots' })),
  }),
  reply: robotState,
})

export const frozenAccount = z.object({
  user_id: z.int(),
  username: z.string(),
  reason: z.string(),
  frozen_by: z.string(),
  frozen_at: unix,
})
export type FrozenAccount = z.infer<typeof frozenAccount>

export const listFrozenAccounts = defineStaffRoute({
  path: '/api/staff/accounts/frozen',
  summary: 'Accounts that are frozen, latest first',
  action: 'players.read',
  request: listRequest(['frozen'], {
    /** A player's number or name. */
    q: optionalText(100),
  }),
  reply: listPage(frozenAccount),
})

export const freezeAccount = defineStaffRoute({
  path: '/api/staff/accounts/freeze',
  summary:
    "Freezes a player's account: he is signed out everywhere, and his money stays where it is",
  action: 'players.freeze',
  request: z.object({ user_id: id, reason: text({ max: 200 }) }),
})

export const unfreezeAccount = defineStaffRoute({
  path: '/api/staff/accounts/unfreeze',
  summary: 'Ends the freeze of an account; the player signs in anew',
  action: 'players.unfreeze',
  /** `frozen_at`: of the freeze that was seen; another one is not ended. */
  request: z.object({ user_id: id, frozen_at: instant, reason: text({ max: 200 }) }),
})

/** `proposed`: another owner has to confirm it. `confirmed`: the only owner did, by a fresh code. */
export const ownersDecision = z.object({ state: z.enum(['proposed', 'confirmed']) })

const member = z.object({
  id: z.int(),
  name: z.string(),
  role: z.enum(STAFF_ROLES),
  email: z.nullable(z.string()),
  active: z.boolean(),
  createtime: unix,
  last_sign_in: z.nullable(unix),
  /** How many of his sessions have not ended. */
  sessions: z.int(),
  /** Whether somebody gives wrong codes with his right password. */
  codes_guessed: z.boolean(),
})
export type WireMember = z.infer<typeof member>

export const listMembers = defineStaffRoute({
  path: '/api/staff/members',
  summary: 'Who works here, by name',
  action: 'members.read',
  request: z.object({
    /** The beginning of the name. */
    q: optionalText(64),
  }),
  reply: z.array(member),
})

export const proposeMember = defineStaffRoute({
  path: '/api/staff/members/propose',
  summary:
    'Proposes to add a member under a new name; or, with what was seen of one, to open his account again or to give him another role or address; another owner confirms',
  action: 'members.change',
  request: z.object({
    name: z.pipe(
      text({ max: 32 }),
      z
        .string()
        .check(z.maxLength(32), z.regex(/^[a-zA-Z][a-zA-Z0-9_.-]{1,31}$/, { error: 'staff_name' })),
    ),
    role: z.enum(STAFF_ROLES, { error: 'choice' }),
    email,
    /** What the proposer saw of him; absent for a new member. If it is not so any more, the call is refused. */
    seen_role: z.optional(z.enum(STAFF_ROLES, { error: 'choice' })),
    seen_email: optionalText(254),
    seen_active: optionalChoice([0, 1]),
    reason: text({ max: 500 }),
    ...freshProof,
  }),
  reply: ownersDecision,
})

export const resetMember = defineStaffRoute({
  path: '/api/staff/members/reset',
  summary:
    'Ends a member’s sessions and mails him a link to a new first sign-in, which is good for three days',
  action: 'members.change',
  /** `seen_email`: the address that the caller saw. If it is another by now, the call is refused. */
  request: z.object({ name: text({ max: 64 }), seen_email: text({ max: 254 }) }),
})

export const memberSessions = defineStaffRoute({
  path: '/api/staff/members/sessions',
  summary: 'A member’s sessions that have not ended, latest first',
  action: 'members.read',
  request: z.object({ name: text({ max: 64 }) }),
  reply: ownSessions.reply,
})

export const endMemberSession = defineStaffRoute({
  path: '/api/staff/members/sessions/end',
  summary: 'Ends a session of another member',
  action: 'members.change',
  request: z.object({ id }),
})

export const closeMember = defineStaffRoute({
  path: '/api/staff/members/close',
  summary: "Closes another member's account and ends his sessions",
  action: 'members.change',
  request: z.object({ name: text({ max: 64 }) }),
})
