/** Withdrawals: pay methods, requests, and their review by staff. */
import type { NoteMark } from '#src/modules/accounts/note-mark.ts'
import type { ReadBalance } from '#src/modules/wallet/wallet-store.ts'
import type { Resources } from '#src/resources.ts'
import { withdrawalReviewRoutes, withdrawalRoutes } from './routes.ts'

export function withdrawalsModule(
  deps: Pick<Resources, 'db' | 'cipher' | 'timeZone' | 'now'> & {
    balance: ReadBalance
    noteMark: NoteMark
  },
) {
  const { db, cipher, timeZone, now, balance, noteMark } = deps
  const needed = { db, cipher, timeZone, now, balance, noteMark }
  return { routes: [...withdrawalRoutes(needed), ...withdrawalReviewRoutes(needed)] }
}
