/** The player's own bets in the running and the last round: what the strip and the sheet of the room show. */

import { orderInfo } from '@sum28/contract/user-routes.ts'
import { type Digits, NAMED_OUTCOMES, sumOfDigits } from '@sum28/domain/digits.ts'
import { compareIssues } from '@sum28/domain/issues.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { parseOdds } from '@sum28/domain/odds.ts'
import { namedOutcomeHits, RULES } from '@sum28/domain/outcomes.ts'
import { payoutAt } from '@sum28/domain/payout.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Bet, betPage, isPending } from '#src/data/bet.ts'
import { call } from '#src/data/client.ts'
import { daysAgo } from '#src/data/game-day.ts'
import { gamesQuery } from '#src/data/games.ts'
import { keepLine, keptOdds } from '#src/data/kept-lines.ts'
import { PAGE_SIZE } from '#src/data/list-page.ts'
import type { PastRound } from '#src/data/rounds/past-round.ts'
import { keepLineLater, tellNewLog } from '#src/screens/room/keep-lines-later.ts'
import { oddsQuery } from '#src/screens/room/odds.ts'
import type { Order, PlacedBet, SameBet } from '#src/screens/room/room-state.ts'

export type OwnBet = Pick<
  Bet,
  'orderNo' | 'game' | 'roundId' | 'outcomes' | 'staked' | 'profit' | 'result'
> & {
  /** The odds in thousandths that were fixed for each outcome; null while they are not known. */
  readonly odds: readonly number[] | null
}

/** A page has fifty bets: more than these pages are not read for two rounds. */
const PAGES_MAX = 4

/**
 * The bets of the running and the last round in all games, newest first; kept up to date by the player's own events.
 *
 * @param drawn the last drawn round; bets of earlier rounds are left out
 */
export function ownBetsQuery(drawn: string) {
  return queryOptions<OwnBet[]>({
    queryKey: OWN_BETS_KEY,
    staleTime: 0,
    // Amounts are bigints, which structural sharing cannot compare.
    structuralSharing: false,
    queryFn: async ({ signal, client }) => {
      const bets = await betsSince(drawn, signal)
      const kept = keptOdds()
      const newest = new Set(bets.filter(isPending).slice(0, RECEIPTS_MAX))
      return Promise.all(
        bets.map(async (bet) => {
          const known = kept.get(bet.orderNo) ?? client.getQueryData<number[]>(oddsKey(bet)) ?? null
          return { ...bet, odds: known ?? (newest.has(bet) ? await oddsOf(bet, client) : null) }
        }),
      )
    },
  })
}

const OWN_BETS_KEY = ['bets', 'of-rounds'] as const

async function betsSince(drawn: string, signal: AbortSignal): Promise<Bet[]> {
  // A running round may have begun the day before.
  const filter = { from: daysAgo(1), status: undefined }
  const bets: Bet[] = []
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { list, total } = await betPage(filter, { page, limit: PAGE_SIZE }, signal)
    const recent = list.filter(({ roundId }) => drawn === '' || compareIssues(roundId, drawn) >= 0)
    bets.push(...recent)
    if (recent.length < list.length || list.length === 0 || page * PAGE_SIZE >= total) break
  }
  return bets
}

/** A program may place hundreds a round: of the earlier ones that this device does not know no receipt is asked for. */
const RECEIPTS_MAX = 24

const oddsKey = ({ orderNo }: Pick<Bet, 'orderNo'>) => ['bet-odds', orderNo]

/** The odds of a pending bet. They never change, so they are fetched once. */
async function oddsOf({ orderNo }: Bet, client: QueryClient): Promise<OwnBet['odds']> {
  const queryFn = async () => {
    const receipt = await call(orderInfo, { orderNo })
    keepLine(receipt).then(
      (keeping) => {
        // Of a bet that this visit has not placed, too.
        if (keeping === 'unsigned' || keeping === 'waits') keepLineLater(orderNo)
        if (keeping === 'newLog') tellNewLog(orderNo)
      },
      () => {},
    )
    return receipt.selections.map(({ odds }) => parseOdds(odds) ?? 0)
  }
  // The bet is shown without its possible return if this fails.
  return client
    .fetchQuery({ queryKey: oddsKey({ orderNo }), queryFn, staleTime: Number.POSITIVE_INFINITY })
    .catch(() => null)
}

/** Adds a bet that was just accepted, at the odds that the player was shown. */
export function addOwnBet(
  client: QueryClient,
  { gameId, roomId, rulesVersion }: Order,
  { orderNo, entry }: PlacedBet,
): void {
  const known = client.getQueryData(oddsQuery(roomId).queryKey)
  // An order that was sent again may be older than the odds of now.
  const byRule = known?.rulesVersion === rulesVersion ? known?.byRule : undefined
  const offers = entry.ruleIds.flatMap((ruleId) => byRule?.get(ruleId) ?? [])
  const odds = offers.length === entry.ruleIds.length ? offers.map((o) => o.oddsMilli) : null
  if (odds) client.setQueryData(oddsKey({ orderNo }), odds)
  const { roundId, outcomes, total: staked } = entry
  const game = client.getQueryData(gamesQuery.queryKey)?.find(({ id }) => id === gameId)?.name ?? ''
  const bet: OwnBet = {
    orderNo,
    game,
    roundId,
    outcomes,
    staked,
    profit: 0n,
    result: 'pending',
    odds,
  }
  client.setQueryData<OwnBet[]>(OWN_BETS_KEY, (before = []) => [
    bet,
    ...before.filter((each) => each.orderNo !== orderNo),
  ])
  // Its receipt tells them.
  if (!odds) void client.invalidateQueries({ queryKey: OWN_BETS_KEY })
}

/** The player's newest bet of a game's two last rounds, to be chosen again; null if there is none. */
export function newestBet(client: QueryClient, game: string): SameBet | null {
  const bet = client.getQueryData<OwnBet[]>(OWN_BETS_KEY)?.find((each) => each.game === game)
  if (!bet) return null
  const ruleIds = bet.outcomes.flatMap(
    (outcome) => RULES.find((rule) => rule.outcome === outcome)?.id ?? [],
  )
  return { ruleIds, stake: bet.staked / BigInt(bet.outcomes.length) }
}

export type OwnSelection = {
  readonly outcome: string
  readonly stake: Amount
  /** The payout if it is hit, principal included; null while the odds are not known. */
  readonly returns: Amount | null
  /** Null before the draw, and in a voided round. */
  readonly hit: boolean | null
}

export type OwnRound = {
  readonly roundId: string
  readonly bets: readonly OwnBet[]
  /** One for each outcome, in the order of the bets. */
  readonly selections: readonly OwnSelection[]
  /** The draw of the round; null until it has come. */
  readonly draw: PastRound | null
  /** What the bets came to, once all of them are settled: their profit, or the stakes that came back. */
  readonly result: { readonly kind: 'profit' | 'returned'; readonly amount: Amount } | null
}

/** The draw that is shown in full: what follows from a later one is not shown yet. */
type Shown = { readonly lastDraw: PastRound | null }

/**
 * A game's running round and the one before it, with the player's bets.
 *
 * @param game its name
 */
export function ownRounds(
  all: readonly OwnBet[],
  { game, running, lastDraw }: Shown & { game: string; running: string },
): { running: OwnRound; last: OwnRound | null } {
  const bets = all.filter((bet) => bet.game === game)
  const of = (roundId: string) =>
    ownRound(bets, roundId, lastDraw?.roundId === roundId ? lastDraw : null)
  const ended = bets.find(({ roundId }) => roundId !== running && isAfter(roundId, lastDraw))
  const last = ended?.roundId ?? lastDraw?.roundId
  return { running: of(running), last: last && last !== running ? of(last) : null }
}

/**
 * What the bets of all games whose draw is not shown yet have lost so far, which the session's result counts: the stake
 * while a bet is running, nothing once it is refunded. The games run in step.
 */
export function unshownLoss(bets: readonly OwnBet[], { lastDraw }: Shown): Amount {
  return bets
    .filter(({ result, roundId }) => result === 'pending' || isAfter(roundId, lastDraw))
    .reduce(
      (loss, { result, staked, profit }) => loss + (result === 'pending' ? staked : -profit),
      0n,
    )
}

function isAfter(roundId: string, draw: PastRound | null): boolean {
  return draw === null || compareIssues(roundId, draw.roundId) > 0
}

function ownRound(all: readonly OwnBet[], roundId: string, draw: PastRound | null): OwnRound {
  const bets = all.filter((bet) => bet.roundId === roundId)
  return {
    roundId,
    bets,
    draw,
    selections: selectionsOf(bets, draw?.digits ?? null),
    result: draw ? resultOf(bets) : null,
  }
}

/** The outcomes of some bets of one round, each once, in the order of the bets. */
export function selectionsOf(bets: readonly OwnBet[], digits: Digits | null): OwnSelection[] {
  const byOutcome = new Map<string, OwnSelection>()
  const sum = digits && sumOfDigits(digits)
  for (const { outcomes, staked, odds } of [...bets].reverse()) {
    const each = staked / BigInt(outcomes.length)
    outcomes.forEach((outcome, at) => {
      const before = byOutcome.get(outcome)
      const milli = odds?.[at]
      const returns = milli === undefined ? null : payoutAt(each, milli)
      byOutcome.set(outcome, {
        outcome,
        stake: (before?.stake ?? 0n) + each,
        returns:
          returns === null || before?.returns === null ? null : (before?.returns ?? 0n) + returns,
        hit: sum === null ? null : hits(outcome, sum),
      })
    })
  }
  return [...byOutcome.values()]
}

function hits(outcome: string, sum: number): boolean {
  const named = NAMED_OUTCOMES.find((name) => name === outcome)
  return named ? namedOutcomeHits(named, sum) : outcome === String(sum)
}

function resultOf(bets: readonly OwnBet[]): OwnRound['result'] {
  if (bets.length === 0 || bets.some(({ result }) => result === 'pending')) return null
  if (bets.every(({ result }) => result === 'refunded')) {
    return { kind: 'returned', amount: bets.reduce((total, { staked }) => total + staked, 0n) }
  }
  return { kind: 'profit', amount: bets.reduce((total, { profit }) => total + profit, 0n) }
}
