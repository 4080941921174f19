/** Bets in wire form: for the feed and the history. */
import { createHmac } from 'node:crypto'
import type { BetRecord, FeedMessage } from '@sum28/contract/replies.ts'
import { gameDayOfIssue } from '@sum28/domain/issues.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { ruleById } from '@sum28/domain/outcomes.ts'
import { lotteryCode } from '#src/modules/rounds/results.ts'
import { maskedName, unixSeconds } from '#src/wire-form.ts'
import type { Bet, BetStatus, HistoryBet } from './bet-store.ts'

/** The chosen outcomes' names, comma separated, for the client to translate. */
function playMethod(ruleIds: readonly number[]): string {
  return ruleIds.map((id) => ruleById(id)?.outcome ?? String(id)).join(', ')
}

/** The chosen rules in the form of an order: a JSON array in a string. */
export function playType(ruleIds: readonly number[]): string {
  return JSON.stringify(ruleIds)
}

/** A bet in a room's feed. */
export type FeedBet = Bet & {
  /** What strangers see in place of the player's number, see {@link pseudonymOf}. */
  pseudonym: number
}

/** Above all numbers of players, and an integer of 32 bits as those are. */
const PSEUDONYMS_FROM = 2 ** 30

/**
 * The number under which a player's bets of one game day in one room can be told from those of others: the same for that
 * day and room, and another in every other. So nobody can follow a player for longer by it, or look him up.
 *
 * @param key a secret of this installation
 */
export function pseudonymOf(
  key: Buffer,
  { playerId, roomId, issue }: Pick<Bet, 'playerId' | 'roomId' | 'issue'>,
): number {
  const text = `${roomId} ${gameDayOfIssue(issue)} ${playerId}`
  const hash = createHmac('sha256', key).update(text).digest()
  return PSEUDONYMS_FROM + (hash.readUInt32BE(0) >>> 2)
}

/**
 * A bet in a feed, as one of its readers sees it: only the owner sees his number and his balance.
 *
 * @param reader null for a stranger
 */
export function feedMessage(bet: FeedBet, reader: { playerId: number } | null): FeedMessage {
  const isOwn = bet.playerId === reader?.playerId
  return {
    id: Number(bet.id),
    user_id: isOwn ? bet.playerId : bet.pseudonym,
    nickname: maskedName(bet.username),
    issue: bet.issue,
    play_method: playMethod(bet.ruleIds),
    play_type: playType(bet.ruleIds),
    quantity: formatAmount(bet.stake),
    total: formatAmount(bet.total),
    after_quantity: isOwn ? formatAmount(bet.cashAfter) : null,
    robot: bet.robot,
    createtime: unixSeconds(bet.acceptedAt),
    ...(isOwn ? { orderNo: bet.orderNo, version: String(bet.postingId) } : {}),
  }
}

/** A player's own bet as the answer to his order: the same entry as in his feed. */
export function feedMessageOfPlayer(bet: Bet) {
  const { orderNo, cashAfter, postingId } = bet
  const own = { orderNo, after_quantity: formatAmount(cashAfter), version: String(postingId) }
  return { ...feedMessage({ ...bet, pseudonym: bet.playerId }, bet), ...own }
}

/** The wire's status of a bet: 0 pending, 1 settled, 2 refunded. */
export const STATUS_ON_WIRE: Record<BetStatus, 0 | 1 | 2> = {
  accepted: 0,
  won: 1,
  lost: 1,
  refunded: 2,
}

export function betRecord(bet: HistoryBet): BetRecord {
  const settled = bet.status === 'won' || bet.status === 'lost'
  // A draw is shown with what it paid, and not a moment before.
  const digits = bet.status === 'accepted' ? null : bet.digits
  return {
    orderNo: bet.orderNo,
    createtime: unixSeconds(bet.acceptedAt),
    game_id: bet.gameId,
    name: bet.gameName,
    plan_name: bet.roomTitle,
    status: STATUS_ON_WIRE[bet.status],
    whether_hit: bet.status === 'won' ? 1 : 0,
    profit: formatAmount(settled ? bet.payout - bet.total : 0n),
    issue: bet.issue,
    quantity: formatAmount(bet.total),
    lottery_code: lotteryCode({
      digits: digits as [number, number, number] | null,
      total: bet.sum,
    }),
    play_method: playMethod(bet.ruleIds),
    play_type: playType(bet.ruleIds),
    witnessed: digits === null ? null : bet.witnessed,
  }
}
