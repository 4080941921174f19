/** The facts about a withdrawal that are hints to check it more closely, each with its numbers. */
import { LINKED_MAX } from '@sum28/contract/staff-players-routes.ts'
import type { RiskHint } from '@sum28/contract/staff-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import type { Queryable } from '#src/db/database.ts'
import { unixSeconds } from '#src/wire-form.ts'

/** Of other players with the same value, the latest accounts are named. */
const OTHERS_MAX = 10

const NOTHING = { players: null, others: [], at: null, deposited: null, staked: null }

/** The hints of one withdrawal: facts only, without a score. */
export function riskHints(risks: Risks, sharers: readonly Sharer[] = []): RiskHint[] {
  const { earlier, payeeAddedAt: addedAt, payeeChanged, deposited, staked } = risks
  const { payeeReplacedAt: replacedAt } = risks
  const hints: RiskHint[] = []
  if (earlier === 0) hints.push({ ...NOTHING, kind: 'first' })
  if (addedAt !== null) {
    const kind = payeeChanged ? 'payee_changed' : 'payee_new'
    hints.push({ ...NOTHING, kind, at: unixSeconds(addedAt) })
  }
  if (replacedAt !== null) {
    hints.push({ ...NOTHING, kind: 'payee_replaced', at: unixSeconds(replacedAt) })
  }
  const shared = [
    ['payee_shared', risks.payeePlayers],
    ['device_shared', risks.devicePlayers],
    ['network_shared', risks.networkPlayers],
  ] as const
  for (const [kind, players] of shared) {
    if (players === 0) continue
    const others = sharers
      .filter(({ hint }) => hint === kind)
      .slice(0, OTHERS_MAX)
      .map(({ playerId, username }) => ({ user_id: playerId, username }))
    hints.push({ ...NOTHING, kind, players, others })
  }
  if (staked < deposited) {
    const sums = { deposited: formatAmount(deposited), staked: formatAmount(staked) }
    hints.push({ ...NOTHING, kind: 'little_play', ...sums })
  }
  return hints
}

export type Risks = {
  withdrawalId: bigint
  /** Earlier withdrawals of the player that were approved. */
  earlier: number
  /** When the payee was added, if that was within seven days before the request, or by staff to a closed account. */
  payeeAddedAt: number | null
  /** Whether that payee replaced another. */
  payeeChanged: boolean
  /** When another payee was saved in its place, if that was before it was paid. */
  payeeReplacedAt: number | null
  /** Other players with the same payee, device or network; 100 means that many or more. */
  payeePlayers: number
  devicePlayers: number
  networkPlayers: number
  /** Within the 90 days before. */
  deposited: Amount
  staked: Amount
}

/** Another player with a mark of the withdrawal's one, and the hint that counts him. */
type Sharer = { hint: string; playerId: number; username: string }

/** The latest accounts first; of a device or network that many others have, such as a hotel's, none. */
export function sharersOf(db: Queryable, id: bigint): Promise<Sharer[]> {
  return db.query<Sharer>(
    `select case when by in ('card', 'wallet') then 'payee' else by end || '_shared' as hint,
       other_id as "playerId", username
     from withdrawals.withdrawal
       join withdrawals.pay_method method on method.id = pay_method_id
       cross join lateral protection.linked_with(withdrawal.player_id, $2)
     where withdrawal.id = $1 and other_id is not null
       and by <> case method.kind when 'bank' then 'wallet' else 'card' end
     order by other_id desc`,
    [id, LINKED_MAX],
  )
}

export async function risksOf(
  db: Queryable,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, Risks>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<Risks>(
    `select withdrawal_id as "withdrawalId", earlier, payee_added_at as "payeeAddedAt",
       payee_changed as "payeeChanged", payee_replaced_at as "payeeReplacedAt", payee_players as "payeePlayers",
       device_players as "devicePlayers", network_players as "networkPlayers", deposited, staked
     from withdrawals.risks($1)`,
    [ids],
  )
  return new Map(rows.map((row) => [row.withdrawalId, row]))
}
