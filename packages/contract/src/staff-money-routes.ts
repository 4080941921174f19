/** /api/staff/money: the console's area of money: withdrawals, deposits, adjustments, and the books. */
import type { Download, Route } from './route.ts'

/** Every call of the area; a call is declared here with `defineStaffRoute` and added to the list. */
export const MONEY_ROUTES: readonly Route[] = []

/** Every file that the area lets staff download. */
export const MONEY_DOWNLOADS: readonly Download[] = []
