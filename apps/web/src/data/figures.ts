/** The player's own figures: in all, in twelve months, and in each of them. */
import { figures } from '@sum28/contract/own-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'

export type Figures = {
  readonly deposited: Amount
  readonly withdrawn: Amount
  readonly netDeposited: Amount
  readonly staked: Amount
  readonly won: Amount
  /** Payouts minus stakes. */
  readonly net: Amount
}

export type MonthFigures = Figures & {
  /** `2026-11`. */
  readonly month: string
}

export type OwnFigures = {
  /** When the account was created, in milliseconds since 1970. */
  readonly since: number
  readonly lifetime: Figures
  readonly year: Figures
  /** Oldest first. */
  readonly months: readonly MonthFigures[]
}

export const figuresQuery = queryOptions({
  queryKey: ['figures'],
  staleTime: 0,
  queryFn: async ({ signal }): Promise<OwnFigures> => {
    const { since, lifetime, year, months } = await call(figures, {}, { signal })
    return {
      since: since * 1_000,
      lifetime: figuresFromWire(lifetime),
      year: figuresFromWire(year),
      months: months.map((each) => ({ month: each.month, ...figuresFromWire(each) })),
    }
  },
})

function figuresFromWire(wire: ReplyOf<typeof figures>['lifetime']): Figures {
  return {
    deposited: amountFromWire(wire.deposited),
    withdrawn: amountFromWire(wire.withdrawn),
    netDeposited: amountFromWire(wire.net_deposited),
    staked: amountFromWire(wire.staked),
    won: amountFromWire(wire.won),
    net: amountFromWire(wire.net),
  }
}
