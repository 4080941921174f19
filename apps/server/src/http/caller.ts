/** Who calls: what a handler is told of the player or the member of staff. The modules find them by their tokens. */
import type { Route, StaffRole } from '@sum28/contract/route.ts'
import type { Refusal } from '#src/refusal/refusal.ts'

/** A calling player, after his token was found valid. */
export type Caller = {
  readonly playerId: number
  /** 1 member, 2 visitor. */
  readonly groupId: 1 | 2
  readonly username: string
  /** The profit of his settled bets when the session began, in micro-units. */
  readonly netAtStart: bigint
  readonly tokenHash: Buffer
}

/** Who calls a route: a player, a member of staff, or anybody. */
export type CallerOf<R extends Pick<Route, 'auth'>> = R['auth'] extends 'none'
  ? null
  : R['auth'] extends 'staff'
    ? StaffCaller
    : Caller

/** Finds the owner of a token, or why the token is not valid. */
export type FindCaller = (token: string) => Promise<Caller | Refusal>

/** The calling member of staff, after the token was found valid. */
export type StaffCaller = {
  readonly staffId: number
  readonly name: string
  readonly role: StaffRole
  /** Proves to the database who acts; never stored or logged. */
  readonly token: string
  readonly tokenHash: Buffer
  /** Milliseconds until the session ends without activity, and until it ends in any case. */
  readonly idleMsLeft: number
  readonly msLeft: number
}

/**
 * Finds the owner of a staff token, or why it is not valid.
 *
 * @param call `attended`: whether a person is at the screen, so that the session is prolonged; true by default. A
 *   screen that refreshes itself without a person prolongs no session
 */
export type FindStaff = (
  token: string,
  call?: { attended: boolean },
) => Promise<StaffCaller | Refusal>
