import type { rules } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { offerFromWire } from '#src/data/offer.ts'

export type Rules = ReturnType<typeof rulesFromWire>

export type RoomRules = ReturnType<typeof roomFromWire>

type WireRules = ReplyOf<typeof rules>

export function rulesFromWire(reply: WireRules) {
  return {
    /** From the opening of a round to its draw. */
    roundSeconds: reply.round_seconds,
    /** The last part of it, in which no bet is taken. */
    sealSeconds: reply.seal_seconds,
    roundsADay: reply.rounds_a_day,
    /** `10:00-02:00`, on the clock of `zone`. */
    openingHours: reply.opening_hours,
    zone: reply.game_timezone,
    /** Seconds after a round's end at which an undrawn round is voided. */
    deadlineSeconds: reply.beacon_deadline_seconds,
    /** The most that all bets of one player in one round may pay together. */
    payoutMax: amountFromWire(reply.payout_max),
    rooms: reply.rooms.map(roomFromWire),
  }
}

/** Whether every game has the same rooms on the same terms, so that the page needs to show only one game. */
export function alikeInAllGames(rooms: readonly RoomRules[]): boolean {
  const terms = new Map<number, unknown[]>()
  for (const { id, gameId, game, version, ...room } of rooms) {
    terms.set(gameId, [...(terms.get(gameId) ?? []), room])
  }
  return new Set([...terms.values()].map(comparable)).size <= 1
}

function comparable(terms: unknown): string {
  return JSON.stringify(terms, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

function roomFromWire(room: WireRules['rooms'][number]) {
  return {
    id: room.id,
    gameId: room.game_id,
    game: room.game_name,
    /** The operator's own name of the room. */
    title: room.title,
    /** 0 basic, 1 senior, 2 master, 3 expert. */
    type: room.type,
    /** The least and the greatest total of one order. */
    stakeMin: amountFromWire(room.min_limit),
    stakeMax: amountFromWire(room.max),
    /** The entry limit. */
    entryMin: amountFromWire(room.join_limit),
    version: room.rules_version,
    /** The eight named outcomes, and the 28 sums. */
    named: room.rule_base.map(offerFromWire),
    sums: room.rule_num.map(offerFromWire),
  }
}
