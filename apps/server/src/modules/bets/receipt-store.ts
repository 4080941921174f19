/** The bets module's SQL for one bet in full. */
import type { OddsMilli } from '@sum28/domain/odds.ts'
import { isDay } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { FROM_HISTORY, HISTORY, type HistoryBet } from './bet-store.ts'

export type FullBet = HistoryBet & {
  roomType: number
  rulesVersion: number
  /** In the order of `ruleIds`. */
  oddsMilli: OddsMilli[]
  /** 16 bytes in hex: known only to the player who placed the bet. */
  nonce: string
  /** When it was paid, lost or refunded. */
  settledAt: number | null
}

/** A player's own bet by its order number; undefined if he has no such bet. */
export async function betOfPlayer(
  db: Queryable,
  { playerId, orderNo }: { playerId: number; orderNo: string },
): Promise<FullBet | undefined> {
  const key = keyOf(orderNo)
  if (!key) return undefined
  const [row] = await db.query<FullBet>(
    `select ${HISTORY}, room.type as "roomType", bet.rules_version as "rulesVersion",
       bet.odds_milli as "oddsMilli", encode(bet.nonce, 'hex') as nonce,
       bet.settled_at as "settledAt"
     from (select * from bets.bet
       where player_id = $1 and id = $2 and booked_on = $3 and order_no = $4) bet
       ${FROM_HISTORY}`,
    [playerId, key.id, key.bookedOn, orderNo],
  )
  return row
}

/** An order number is the bet's game day and its id: the key of the row. */
function keyOf(orderNo: string): { id: bigint; bookedOn: string } | null {
  const [, year, month, day, id] = /^(\d{4})(\d{2})(\d{2})(\d{8,18})$/.exec(orderNo) ?? []
  const bookedOn = `${year}-${month}-${day}`
  return id !== undefined && isDay(bookedOn) ? { id: BigInt(id), bookedOn } : null
}
