import type { Amount } from '@sum28/domain/money.ts'
import type { Queryable } from '#src/db/database.ts'
import { readTogether } from '#src/db/shared-reads.ts'
import { balancesOf } from './wallet-store.ts'

/** Reads a player's free balance; simultaneous callers share one statement. */
export type ReadBalance = (playerId: number) => Promise<Amount>

export function balanceReader(db: Queryable): ReadBalance {
  const read = readTogether<number, Amount>((ids) => balancesOf(db, ids))
  return async (playerId) => {
    const balance = await read(playerId)
    if (balance === undefined) throw new Error(`player ${playerId} has no wallet`)
    return balance
  }
}
