/**
 * The correct state of a player's money, computed independently of the product: a few numbers and the rules as
 * players read them, without the product's own code.
 */

type Bet = { gameId: number; issue: string; ruleIds: number[]; stake: bigint }

type Purse = {
  cash: bigint
  /** Reserved by the pending withdrawal. */
  held: bigint
  waiting: { id: number; amount: bigint } | null
  bets: Bet[]
}

/** Selections of the model: whether a sum wins, and its odds in the basic room, in thousandths. */
export const MODEL_RULES: Record<number, { hits: (sum: number) => boolean; oddsMilli: bigint }> = {
  1: { hits: (sum) => sum >= 14, oddsMilli: 1_920n },
  2: { hits: (sum) => sum <= 13, oddsMilli: 1_920n },
  3: { hits: (sum) => sum % 2 === 1, oddsMilli: 1_920n },
  4: { hits: (sum) => sum % 2 === 0, oddsMilli: 1_920n },
  11: { hits: (sum) => sum >= 14 && sum % 2 === 1, oddsMilli: 4_155n },
  12: { hits: (sum) => sum >= 14 && sum % 2 === 0, oddsMilli: 3_568n },
  13: { hits: (sum) => sum <= 13 && sum % 2 === 1, oddsMilli: 3_568n },
  14: { hits: (sum) => sum <= 13 && sum % 2 === 0, oddsMilli: 4_155n },
  400: { hits: (sum) => sum === 0, oddsMilli: 960_000n },
  409: { hits: (sum) => sum === 9, oddsMilli: 17_454n },
  413: { hits: (sum) => sum === 13, oddsMilli: 12_800n },
}

export class MoneyModel {
  readonly purses = new Map<number, Purse>()

  open(playerId: number): void {
    this.purses.set(playerId, { cash: 0n, held: 0n, waiting: null, bets: [] })
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

  decide(playerId: number, decision: 'approve' | 'reject'): void {
    const purse = this.purse(playerId)
    if (!purse.waiting) throw new Error(`player ${playerId} has no withdrawal`)
    const { amount } = purse.waiting
    purse.held -= amount
    if (decision === 'reject') purse.cash += amount
    purse.waiting = null
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
          else if (rule.hits(sum)) purse.cash += (stake * rule.oddsMilli) / 1_000n
        }
      }
    }
  }
}
