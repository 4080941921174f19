/**
 * The correct state of a player's money, computed independently of the product: a few numbers and the rules as
 * players read them, without the product's own code.
 */

type Bet = { orderNo: string; gameId: number; issue: string; ruleIds: number[]; stake: bigint }

type Purse = {
  cash: bigint
  /** Reserved by the pending withdrawal. */
  held: bigint
  waiting: { id: number; amount: bigint } | null
  paidOut: bigint
  bets: Bet[]
}

/** The odds of the basic room, in thousandths, by how many of the 1,000 draws hit. */
const BASIC_ODDS_MILLI: Record<number, bigint> = {
  500: 1_920n,
  231: 4_155n,
  269: 3_568n,
  75: 12_800n,
  55: 17_454n,
  1: 960_000n,
}

/** Selections of the model: whether a sum wins, and in how many draws. */
export const MODEL_RULES: Record<number, { hits: (sum: number) => boolean; ways: number }> = {
  1: { hits: (sum) => sum >= 14, ways: 500 },
  2: { hits: (sum) => sum <= 13, ways: 500 },
  3: { hits: (sum) => sum % 2 === 1, ways: 500 },
  4: { hits: (sum) => sum % 2 === 0, ways: 500 },
  11: { hits: (sum) => sum >= 14 && sum % 2 === 1, ways: 231 },
  12: { hits: (sum) => sum >= 14 && sum % 2 === 0, ways: 269 },
  13: { hits: (sum) => sum <= 13 && sum % 2 === 1, ways: 269 },
  14: { hits: (sum) => sum <= 13 && sum % 2 === 0, ways: 231 },
  400: { hits: (sum) => sum === 0, ways: 1 },
  409: { hits: (sum) => sum === 9, ways: 55 },
  413: { hits: (sum) => sum === 13, ways: 75 },
}

export class MoneyModel {
  readonly purses = new Map<number, Purse>()

  open(playerId: number): void {
    this.purses.set(playerId, { cash: 0n, held: 0n, waiting: null, paidOut: 0n, bets: [] })
  }

  purse(playerId: number): Purse {
    const purse = this.purses.get(playerId)
    if (!purse) throw new Error(`the model has no player ${playerId}`)
    return purse
  }

  deposit(playerId: number, amount: bigint): void {
    this.purse(playerId).cash += amount
  }

  /** Whether a withdrawal must be accepted, and if not, why. */
  refusalOfWithdrawal(playerId: number, amount: bigint): string | null {
    const { waiting, cash } = this.purse(playerId)
    if (amount < 100_000_000n) return 'below_minimum'
    if (waiting) return 'withdrawal_pending'
    return cash < amount ? 'insufficient_balance' : null
  }

  requestWithdrawal(playerId: number, id: number, amount: bigint): void {
    const purse = this.purse(playerId)
    purse.cash -= amount
    purse.held += amount
    purse.waiting = { id, amount }
  }

  /** @returns whether the decision was still open */
  decide(playerId: number, decision: 'approve' | 'reject'): boolean {
    const purse = this.purse(playerId)
    if (!purse.waiting) return false
    const { amount } = purse.waiting
    purse.held -= amount
    if (decision === 'approve') purse.paidOut += amount
    else purse.cash += amount
    purse.waiting = null
    return true
  }

  bet(playerId: number, bet: Bet): void {
    const purse = this.purse(playerId)
    purse.cash -= bet.stake * BigInt(bet.ruleIds.length)
    purse.bets.push(bet)
  }

  /** Pays every bet by the drawn sums; a round without a sum was voided. */
  settle(sumOf: (gameId: number, issue: string) => number | null): void {
    for (const purse of this.purses.values()) {
      for (const { gameId, issue, ruleIds, stake } of purse.bets.splice(0)) {
        const sum = sumOf(gameId, issue)
        for (const ruleId of ruleIds) {
          const rule = MODEL_RULES[ruleId]
          if (!rule) throw new Error(`the model has no rule ${ruleId}`)
          if (sum === null) purse.cash += stake
          else if (rule.hits(sum))
            purse.cash += (stake * (BASIC_ODDS_MILLI[rule.ways] ?? 0n)) / 1_000n
        }
      }
    }
  }
}
