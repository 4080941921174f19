/**
 * Compares the replies that players got with the final content of the database: every reply of every key, and every
 * balance that was read, must fit one order of events.
 */

/** The result of a call. `none`: no reply, or one that says nothing about the request. */
export type Outcome =
  | { kind: 'accepted'; betId: number; cashAfter: bigint }
  | { kind: 'refused'; reason: string }
  | { kind: 'read'; micro: bigint }
  | { kind: 'counted'; bets: number }
  | { kind: 'none'; why: string }

/** One call; instants in milliseconds since 1970, by the clock of the database. */
export type Call = {
  kind: 'order' | 'balance' | 'history'
  player: number
  /** The amount of an order. */
  key: string | null
  api: string
  from: number
  until: number
  outcome: Outcome
}

export type StoredBet = { id: number; player: number; at: number; cashAfter: bigint }

/** The key of a bet, in the database. */
export type StoredKey = { player: number; key: string; betId: number }

/** A change of a player's cash, in the order of the ledger. */
export type Posting = { player: number; at: number; cashAfter: bigint; betId: number | null }

export type DatabaseState = {
  bets: readonly StoredBet[]
  keys: readonly StoredKey[]
  postings: readonly Posting[]
}

export type Fault = {
  kind: 'lost' | 'twice' | 'contradiction' | 'balance' | 'history'
  /** When the call began that it is about, or the bet was accepted. */
  at: number
  text: string
}

/** When parts were away, from the fault until they were back. */
export type Away = { from: number; backAt: number }

/** Everything that does not fit. */
export function judge(
  calls: readonly Call[],
  state: DatabaseState,
  away: readonly Away[] = [],
): Fault[] {
  return [
    ...judgeKeys(calls, state, away),
    ...judgeBalances(calls, state),
    ...judgeHistories(calls, state),
  ]
}

/** Refusals that follow from the calendar: the only ones that these players may get. */
const BY_CALENDAR = new Set(['round_sealed', 'round_wrong', 'round_closed'])

/** Betting stops 30 s after the engine last compared the clocks, which it does about every 10 s. */
const STOP_AFTER_MS = 20_000

/** Whether betting may have been stopped during a call, since the engine was away. */
function isStopDue({ from, until }: Call, away: readonly Away[]): boolean {
  return away.some((each) => until >= each.from + STOP_AFTER_MS && from <= each.backAt)
}

function judgeKeys(
  calls: readonly Call[],
  { bets, keys }: DatabaseState,
  away: readonly Away[],
): Fault[] {
  const faults: Fault[] = []
  const betById = new Map(bets.map((bet) => [bet.id, bet]))
  const storedByKey = new Map(keys.map((each) => [nameOf(each), each]))
  const outcomeByKey = new Map<string, Outcome>()
  for (const call of calls) {
    const { kind, player, key, from, outcome } = call
    if (kind !== 'order' || key === null) continue
    if (outcome.kind !== 'accepted' && outcome.kind !== 'refused') continue
    const name = nameOf({ player, key })
    const earlier = outcomeByKey.get(name)
    // A refused order that is sent again is judged again, and the calendar has gone on.
    const bothRefused = earlier?.kind === 'refused' && outcome.kind === 'refused'
    if (earlier && !bothRefused && textOf(earlier) !== textOf(outcome)) {
      faults.push({
        kind: 'contradiction',
        at: from,
        text: `the key ${name} was told ${textOf(earlier)} and then ${textOf(outcome)}`,
      })
    }
    outcomeByKey.set(name, outcome)
    const isTrue =
      outcome.kind === 'accepted' ||
      BY_CALENDAR.has(outcome.reason) ||
      (outcome.reason === 'games_stopped' && isStopDue(call, away))
    if (!isTrue) {
      faults.push({ kind: 'contradiction', at: from, text: `${name} was told ${textOf(outcome)}` })
    }
    const stored = storedByKey.get(name)
    if (outcome.kind === 'accepted') {
      const bet = betById.get(outcome.betId)
      if (
        bet?.player === player &&
        stored?.betId === bet.id &&
        bet.cashAfter === outcome.cashAfter
      ) {
        continue
      }
      faults.push({ kind: 'lost', at: from, text: `${name} was told ${textOf(outcome)}` })
    } else if (stored) {
      const text = `${name} was told ${textOf(outcome)}, and there is bet ${stored.betId}`
      faults.push({ kind: 'contradiction', at: from, text })
    }
  }
  const betsOfKeys = new Set(keys.map(({ betId }) => betId))
  for (const { id, player, at } of bets) {
    if (betsOfKeys.has(id)) continue
    faults.push({ kind: 'twice', at, text: `bet ${id} of player ${player} is of no key` })
  }
  if (betsOfKeys.size < keys.length) {
    faults.push({ kind: 'contradiction', at: 0, text: 'two keys have one bet' })
  }
  return faults
}

/**
 * A balance that was read must be that of the ledger at some moment of the call: not before the state that the player
 * already knew when he asked, and not after the reply. Each later read is at the same position or a later one.
 */
function judgeBalances(calls: readonly Call[], { postings }: DatabaseState): Fault[] {
  const faults: Fault[] = []
  const byPlayer = Map.groupBy(postings, ({ player }) => player)
  for (const [player, all] of Map.groupBy(calls, (call) => call.player)) {
    const ledger = byPlayer.get(player) ?? []
    const positionOfBet = new Map(ledger.map(({ betId }, position) => [betId, position]))
    // A player makes one call after another, so each call ends before the next begins.
    let least = 0
    for (const { kind, outcome, from, until } of all) {
      if (kind === 'balance' && outcome.kind === 'refused') {
        const text = `player ${player} was refused his balance: ${outcome.reason}`
        faults.push({ kind: 'balance', at: from, text })
      }
      if (outcome.kind === 'accepted') {
        least = Math.max(least, positionOfBet.get(outcome.betId) ?? 0)
      } else if (outcome.kind === 'read') {
        const position = ledger.findIndex(
          ({ cashAfter, at }, index) =>
            index >= least && at <= until && cashAfter === outcome.micro,
        )
        if (position >= 0) least = position
        else {
          const text = `player ${player} read ${outcome.micro} at no moment when he had it`
          faults.push({ kind: 'balance', at: from, text })
        }
      }
    }
  }
  return faults
}

/**
 * A history that includes today has every bet that its player had been told of when he asked, and none that was
 * accepted after the reply.
 */
function judgeHistories(calls: readonly Call[], { bets }: DatabaseState): Fault[] {
  const faults: Fault[] = []
  const byPlayer = Map.groupBy(bets, ({ player }) => player)
  for (const [player, all] of Map.groupBy(calls, (call) => call.player)) {
    const accepted = new Set<number>()
    let least = 0
    for (const { kind, outcome, from, until } of all) {
      if (outcome.kind === 'accepted') accepted.add(outcome.betId)
      if (kind !== 'history') continue
      least = Math.max(least, accepted.size)
      const most = (byPlayer.get(player) ?? []).filter(({ at }) => at <= until).length
      if (outcome.kind === 'counted' && outcome.bets >= least && outcome.bets <= most) {
        least = outcome.bets
      } else if (outcome.kind !== 'none') {
        const answer = outcome.kind === 'counted' ? `${outcome.bets} bets` : textOf(outcome)
        const text = `player ${player} was told of ${answer} in his history, of ${least} to ${most}`
        faults.push({ kind: 'history', at: from, text })
      }
    }
  }
  return faults
}

const nameOf = ({ player, key }: { player: number; key: string }) => `${player}/${key}`

function textOf(outcome: Outcome): string {
  if (outcome.kind === 'accepted') return `bet ${outcome.betId}, ${outcome.cashAfter} left`
  return outcome.kind === 'refused' ? `no: ${outcome.reason}` : outcome.kind
}
