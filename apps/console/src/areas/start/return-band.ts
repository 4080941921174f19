/** The actual return to players, the theoretical one, and the band in which chance alone keeps it. */
import type { ReplyOf } from '@sum28/contract/route.ts'
import type { startFigures, WireFigures } from '@sum28/contract/staff-start-routes.ts'
import { amountFromWire } from '@sum28/domain/money.ts'

export type StartFigures = ReplyOf<typeof startFigures>

/** 999 of 1,000 days with many bets are within this number of standard deviations. */
export const DEVIATIONS = 3.29

export type ReturnBand = {
  /** Each a share of the turnover: 0.96 is 96%. */
  readonly fact: number
  readonly theory: number
  readonly low: number
  readonly high: number
  /** Whether the return is within the band that chance alone rarely leaves. */
  readonly within: boolean
}

/** Null if nothing was staked. */
export function returnBand(figures: WireFigures): ReturnBand | null {
  const number = (text: string) => Number(amountFromWire(text))
  const turnover = number(figures.turnover)
  if (turnover === 0) return null
  const fact = number(figures.payouts) / turnover
  const theory = number(figures.expected) / turnover
  const reach = (DEVIATIONS * number(figures.deviation)) / turnover
  const [low, high] = [Math.max(0, theory - reach), theory + reach]
  return { fact, theory, low, high, within: fact >= low && fact <= high }
}

/** `96.4%`. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}
