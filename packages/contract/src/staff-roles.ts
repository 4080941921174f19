/** Which roles of staff may do what. */
import type { StaffRole } from './route.ts'

/** May move money. */
export const CASHIERS: readonly StaffRole[] = ['owner', 'finance']
/** May see money without moving it. */
export const MONEY_READERS: readonly StaffRole[] = ['owner', 'finance', 'support', 'auditor']
/** May record what another person then confirms, and may stop things. */
export const ON_DUTY: readonly StaffRole[] = ['owner', 'finance', 'support']
/** May see stops, robots, accounts and staff. */
export const HOUSE_READERS: readonly StaffRole[] = ['owner', 'finance', 'support', 'auditor']
/** May change the operator's terms, and may reopen what was stopped. */
export const OWNERS: readonly StaffRole[] = ['owner']
