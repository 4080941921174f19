/** Facts about withdrawals that staff should know before they decide. */
import type { Amount } from '@sum28/domain/money.ts'
import type { Queryable } from '#src/db/database.ts'

export type Risks = {
  withdrawalId: bigint
  /** Earlier withdrawals of the player that were approved. */
  earlier: number
  /** When the payee was added, if that was within seven days before the request. */
  payeeAddedAt: number | null
  /** Whether that payee replaced another. */
  payeeReplaced: boolean
  /** Other players with the same payee, device or network; 100 means that many or more. */
  payeePlayers: number
  devicePlayers: number
  networkPlayers: number
  /** Since the previous withdrawal, or within 90 days. */
  deposited: Amount
  staked: Amount
}

/** For each withdrawal, by its id. */
export async function risksOf(
  db: Queryable,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, Risks>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<Risks>(
    `select withdrawal_id as "withdrawalId", earlier, payee_added_at as "payeeAddedAt",
       payee_replaced as "payeeReplaced", payee_players as "payeePlayers",
       device_players as "devicePlayers", network_players as "networkPlayers", deposited, staked
     from withdrawals.risks($1)`,
    [ids],
  )
  return new Map(rows.map((row) => [row.withdrawalId, row]))
}
