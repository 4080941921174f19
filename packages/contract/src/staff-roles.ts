/** Which of the operator's people may do what. */
import type { StaffRole } from './route.ts'

/** The people who move money. */
export const CASHIERS: readonly StaffRole[] = ['owner', 'finance']
/** Who may look at money without moving it. */
export const MONEY_READERS: readonly StaffRole[] = ['owner', 'finance', 'support', 'auditor']
/** Who records what another person then confirms, and who stops what must not go on. */
export const FRONT_DESK: readonly StaffRole[] = ['owner', 'finance', 'support']
/** Who looks at how the house runs. */
export const HOUSE_READERS: readonly StaffRole[] = ['owner', 'finance', 'support', 'auditor']
/** Who sets what the house's terms are, and lets go on what was stopped. */
export const OWNERS: readonly StaffRole[] = ['owner']
