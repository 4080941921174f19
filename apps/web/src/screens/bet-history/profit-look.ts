import type { Bet } from '#src/data/bet.ts'

/**
 * How a row shows a bet's result. `win`: paid more than its stakes. `figure`: hit, but paid no more
 * than its stakes; shown as a figure, not as a win (UK Gambling Commission, RTS 14F). `lost`:
 * nothing hit.
 */
export type ProfitLook = 'pending' | 'win' | 'figure' | 'lost' | 'refunded'

export function profitLook({ result, profit }: Pick<Bet, 'result' | 'profit'>): ProfitLook {
  if (result !== 'won') return result
  return profit > 0n ? 'win' : 'figure'
}
