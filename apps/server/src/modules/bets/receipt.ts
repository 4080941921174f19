/** A bet in full with its receipt: all that its player needs to check it, offline and at any later time. */
import type { BetProof } from '@sum28/contract/receipt.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import type { orderInfo } from '@sum28/contract/user-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { formatOdds, type OddsMilli } from '@sum28/domain/odds.ts'
import { ruleById } from '@sum28/domain/outcomes.ts'
import { payoutOfSelection } from '@sum28/domain/payout.ts'
import { isDay } from '@sum28/domain/schedule.ts'
import { bookLeaf } from '@sum28/fairness/book-tree.ts'
import type { Queryable } from '#src/db/database.ts'
import { publishedRound, publishedRoundByIssue } from '#src/modules/rounds/published-round.ts'
import { unixSecondsOrNull } from '#src/wire-form.ts'
import { FROM_HISTORY, HISTORY, type HistoryBet } from './bet-store.ts'
import { betRecord, playType } from './bet-wire.ts'
import { readPositionInBook } from './book-path.ts'

export type Receipt = ReplyOf<typeof orderInfo>

/** What the public log adds to a receipt. */
export type ReceiptLog = {
  readLogProof: (bet: {
    gameId: number
    issue: string
    roomId: number
    rulesVersion: number
  }) => Promise<BetProof['log']>
  /** Signs that the player's bet was accepted, as this line of the book. */
  signReceipt: (bet: {
    gameId: number
    issue: string
    playerId: number
    leaf: string
    log: BetProof['log']
  }) => Promise<string>
}

/** Reads a player's own bet; undefined if he has none with this number, even if another player has. */
export async function readReceipt(
  deps: ReceiptLog & { db: Queryable },
  request: { playerId: number; orderNo: string },
): Promise<Receipt | undefined> {
  const { db } = deps
  const found = await betOfPlayer(db, request)
  if (!found) return undefined
  const proof = await proofOf(deps, { ...found, playerId: request.playerId })
  // Its round was settled since: of a settled round a bet is settled too.
  const isOutdated = found.settledAt === null && proof.status === 'settled'
  const bet = (isOutdated && (await betOfPlayer(db, request))) || found
  return {
    ...betRecord(bet),
    id: Number(bet.id),
    plan_id: bet.roomId,
    plan_type: bet.roomType,
    rules_version: bet.rulesVersion,
    unit: 'u',
    payout: formatAmount(bet.payout),
    settled_at: unixSecondsOrNull(bet.settledAt),
    selections: bet.ruleIds.map((_, at) => selection(bet, at)),
    // The bet itself stores the journal's balance after the stake was taken.
    before: formatAmount(bet.cashAfter + bet.total),
    after: formatAmount(bet.cashAfter),
    proof,
  }
}

function selection(bet: FullBet, at: number): Receipt['selections'][number] {
  const ruleId = bet.ruleIds[at]
  const oddsMilli = bet.oddsMilli[at]
  if (ruleId === undefined || oddsMilli === undefined) {
    throw new Error(`bet ${bet.orderNo} has no odds for its selection ${at}`)
  }
  const settled = bet.status === 'won' || bet.status === 'lost'
  const payout =
    settled && bet.sum !== null
      ? payoutOfSelection(bet.stake, { ruleId, oddsMilli }, bet.sum)
      : null
  return {
    class: ruleId,
    class_name: ruleById(ruleId)?.outcome ?? String(ruleId),
    odds: formatOdds(oddsMilli),
    stake: formatAmount(bet.stake),
    payout: formatAmount(payout ?? 0n),
    hit: payout === null ? null : payout > 0n,
  }
}

async function proofOf(
  { db, readLogProof, signReceipt }: ReceiptLog & { db: Queryable },
  bet: FullBet & { playerId: number },
): Promise<BetProof> {
  // Read first: what the log proves is then no later than what the round states.
  const log = await readLogProof(bet)
  const round = await publishedRoundByIssue(db, bet)
  if (!round) throw new Error(`bet ${bet.orderNo} is of a round that is not there`)
  const leaf = leafText(bet)
  const signed = await signReceipt({ ...bet, leaf, log })
  const line = { leaf, nonce: bet.nonce, player_id: bet.playerId, signed }
  const { bookRoot, bookSize } = round
  if (bookRoot === null || bookSize === null) {
    return { ...publishedRound(round, log), ...line, leaf_index: null, path: [] }
  }
  const { leafIndex, path } = await readPositionInBook(db, { ...round, bookRoot, bookSize }, bet.id)
  return { ...publishedRound(round, log), ...line, leaf_index: leafIndex, path }
}

/** A bet's text in the closed book; `bets.leaf_hash` hashes the same text. */
export function leafText(bet: {
  orderNo: string
  roomId: number
  ruleIds: readonly number[]
  oddsMilli: readonly OddsMilli[]
  rulesVersion: number
  stake: Amount
  /** 16 bytes in hex. */
  nonce: string
}): string {
  return bookLeaf({ ...bet, planId: bet.roomId, playType: playType(bet.ruleIds) })
}

export type FullBet = HistoryBet & {
  roomType: number
  rulesVersion: number
  /** In the order of `ruleIds`. */
  oddsMilli: OddsMilli[]
  /** 16 bytes in hex: known only to the player who placed the bet. */
  nonce: string
  /** When it was paid, lost or refunded. */
  settledAt: number | null
}

/** A player's own bet by its order number; undefined if he has no such bet. */
async function betOfPlayer(
  db: Queryable,
  { playerId, orderNo }: { playerId: number; orderNo: string },
): Promise<FullBet | undefined> {
  const key = keyOfOrder(orderNo)
  if (!key) return undefined
  return db.first<FullBet>(
    `select ${HISTORY}, room.type as "roomType", bet.rules_version as "rulesVersion",
       bet.odds_milli as "oddsMilli", encode(bet.nonce, 'hex') as nonce,
       bet.settled_at as "settledAt"
     from (select * from bets.bet
       where player_id = $1 and id = $2 and booked_on = $3 and order_no = $4) bet
       ${FROM_HISTORY}`,
    [playerId, key.id, key.bookedOn, orderNo],
  )
}

/** An order number is the bet's game day and its id: the key of the row. Null if the text is no order number. */
export function keyOfOrder(orderNo: string): { id: bigint; bookedOn: string } | null {
  const [, year, month, day, id] = /^(\d{4})(\d{2})(\d{2})(\d{8,18})$/.exec(orderNo) ?? []
  const bookedOn = `${year}-${month}-${day}`
  return id !== undefined && isDay(bookedOn) ? { id: BigInt(id), bookedOn } : null
}
