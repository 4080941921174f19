import type { Bet } from '#src/data/bet.ts'

/**
 * How a row tells what a bet came to. `win`: more came back than was staked. `figure`: something hit
 * and still no more came back, which is told in figures and is no win (UK Gambling Commission, RTS
 * 14F). `lost`: nothing hit.
 */
export type ProfitLook = 'pending' | 'win' | 'figure' | 'lost' | 'refunded'

export function profitLook({ result, profit }: Pick<Bet, 'result' | 'profit'>): ProfitLook {
  if (result !== 'won') return result
  return profit > 0n ? 'win' : 'figure'
}
