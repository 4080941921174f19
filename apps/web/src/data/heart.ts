/** The heartbeat of a bet room: all in it that changes, in one question. */
import { heart } from '@sum28/contract/lottery-routes.ts'
import { call } from '#src/data/client.ts'
import { feedEntryFromWire } from '#src/data/feed.ts'
import { moneyFromWire, type News, roundFromWire, winFromWire } from '#src/data/room-news.ts'

/** A beat that takes longer than this counts as lost, though its answer is still waited for. */
export const BEAT_LATE_MS = 5_000

/**
 * Asks once. Rejects as `call` does.
 *
 * @param asked.after the feed entry heard last, or null for the latest fifty
 */
export async function askHeart(
  asked: { gameId: number; roomId: number; after: number | null },
  signal: AbortSignal,
): Promise<News> {
  const asOf = performance.now()
  const { gameId, roomId, after } = asked
  const reply = await call(
    heart,
    { plan_id: roomId, game_id: gameId, ...(after !== null && { after }) },
    { signal },
  )
  return {
    asOf,
    round: roundFromWire(reply, performance.now()),
    money: moneyFromWire(reply.user_quantity),
    wins: reply.hit_notice.map(winFromWire),
    entries: reply.message.map(feedEntryFromWire),
  }
}
