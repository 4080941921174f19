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
}

/** Finds whose a staff token is, or why it is no good. */
export type FindStaff = (token: string) => Promise<StaffCaller | Refusal>
