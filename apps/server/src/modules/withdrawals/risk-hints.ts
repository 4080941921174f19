/** The facts about a withdrawal that are hints to check it more closely, each with its numbers. */
import type { RiskHint } from '@sum28/contract/staff-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { unixSeconds } from '#src/formats/unix-seconds.ts'
import type { Risks } from './risk-store.ts'

const NOTHING = { players: null, at: null, deposited: null, staked: null }

/** The hints of one withdrawal: facts only, without a score. */
export function riskHints(risks: Risks): RiskHint[] {
  const { earlier, payeeAddedAt: addedAt, payeeReplaced, deposited, staked } = risks
  const hints: RiskHint[] = []
  if (earlier === 0) hints.push({ ...NOTHING, kind: 'first' })
  if (addedAt !== null) {
    const kind = payeeReplaced ? 'payee_changed' : 'payee_new'
    hints.push({ ...NOTHING, kind, at: unixSeconds(addedAt) })
  }
  const shared = [
    ['payee_shared', risks.payeePlayers],
    ['device_shared', risks.devicePlayers],
    ['network_shared', risks.networkPlayers],
  ] as const
  for (const [kind, players] of shared) {
    if (players > 0) hints.push({ ...NOTHING, kind, players })
  }
  if (staked < deposited) {
    const sums = { deposited: formatAmount(deposited), staked: formatAmount(staked) }
    hints.push({ ...NOTHING, kind: 'little_play', ...sums })
  }
  return hints
}
