/** How many rounds of a game were voided, by their reasons, or not witnessed, in the last day and in the last 30. */
type OddRound = {
  readonly game: number
  /** When it had to be drawn, in unix seconds. */
  readonly at: number
  readonly why: string
}

const DAY_S = 86_400

/** Days of which the rounds are counted. */
const SPANS = [1, 30] as const

export function oddRounds() {
  let rounds: OddRound[] = []

  return {
    add(round: OddRound): void {
      rounds.push(round)
      const oldest = round.at - SPANS[1] * DAY_S
      if (rounds.some(({ at }) => at < oldest)) rounds = rounds.filter(({ at }) => at >= oldest)
    },
    /** `1 day: 1 sealed_late; 30 days: 2 sealed_late, 1 not witnessed`, up to a moment in unix seconds. */
    sentence(game: number, until: number): string {
      return SPANS.map((days) => {
        const counts = new Map<string, number>()
        for (const round of rounds) {
          if (round.game !== game || round.at > until || round.at <= until - days * DAY_S) continue
          counts.set(round.why, (counts.get(round.why) ?? 0) + 1)
        }
        const list = [...counts].sort().map(([why, count]) => `${count} ${why}`)
        return `${days} ${days === 1 ? 'day' : 'days'}: ${list.join(', ') || 'none'}`
      }).join('; ')
    },
  }
}
