import type { StaffRole } from '@sum28/contract/route.ts'
import type { Refusal } from '#src/refusal.ts'

/** Which member of staff calls, once the token has been found good. */
export type StaffCaller = {
  readonly staffId: number
  readonly name: string
  readonly role: StaffRole
  /** Proves to the database who acts; kept nowhere and logged nowhere. */
  readonly token: string
  readonly tokenHash: Buffer
  /** Milliseconds until the session ends when he does nothing, and until it ends in any case. */
  readonly idleMsLeft: number
  readonly msLeft: number
}

/**
 * Finds whose a staff token is, or why it is no good.
 *
 * @param call `attended`: whether a person is at the screen, so that the session goes on, as it does
 * unless told; a screen that
 * refreshes itself in front of nobody keeps no session alive
 */
export type FindStaff = (
  token: string,
  call?: { attended: boolean },
) => Promise<StaffCaller | Refusal>
