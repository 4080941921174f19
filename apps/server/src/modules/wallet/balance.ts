import type { Amount } from '@sum28/domain/money.ts'
import { coalesceReads } from '#src/db/coalesce.ts'
import type { Queryable } from '#src/db/database.ts'
import { balancesOf } from './wallet-store.ts'

/** Reads a player's free balance; those who ask in the same moment share one statement. */
export type ReadBalance = (playerId: number) => Promise<Amount>

export function balanceReader(db: Queryable): ReadBalance {
  const read = coalesceReads<number, Amount>((ids) => balancesOf(db, ids))
  return async (playerId) => {
    const balance = await read(playerId)
    if (balance === undefined) throw new Error(`player ${playerId} has no wallet`)
    return balance
  }
}
