/** The heartbeat of a bet room: all in it that changes, asked for again and again. */
import { heart } from '@sum28/contract/lottery-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { call } from '#src/data/client.ts'
import { type Draw, drawFromWire } from '#src/data/draws.ts'
import { type FeedEntry, feedEntryFromWire } from '#src/data/feed.ts'
import { type GameStatus, gameStatusFromWire } from '#src/data/game-status.ts'
import type { RemainingSample } from '#src/ui/countdown.ts'

export type Win = {
  readonly issue: string
  readonly gameName: string
  /** Payout minus stakes of one bet. */
  readonly profit: Amount
}

export type Beat = {
  /** `performance.now()` when it was asked for, and when it came. */
  readonly sentAt: number
  readonly receivedAt: number
  readonly status: GameStatus
  /** Empty when no round runs. */
  readonly issue: string
  readonly sealed: boolean
  readonly clock: RemainingSample
  readonly lastDraw: Draw | null
  readonly balance: Amount
  /** Staked by this player in this room in this round. */
  readonly bought: Amount
  readonly wins: readonly Win[]
  /** Entries after the one named in the question, oldest first. */
  readonly entries: readonly FeedEntry[]
}

/** A beat that takes longer than this counts as lost, though its answer is still waited for. */
const LATE_MS = 5_000

type Watch = {
  gameId: number
  roomId: number
  everyMs: number
  /** The last feed entry already heard, or null for the latest fifty. */
  after: () => number | null
  onBeat: (beat: Beat) => void
  /** The answer is late, or the server said no, or it cannot be reached. */
  onTrouble: (error: unknown) => void
}

/**
 * Beats until it is stopped: one question at a time, `everyMs` from one to the next, none while the
 * page is hidden, and one at once when it is seen again.
 *
 * @returns how to stop it, and how to beat at once
 */
export function watchRoom(watch: Watch): { stop: () => void; beatNow: () => void } {
  const stopped = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking = false

  async function beat() {
    clearTimeout(timer)
    if (stopped.signal.aborted || asking || document.hidden) return
    asking = true
    const sentAt = performance.now()
    const late = setTimeout(() => watch.onTrouble(null), LATE_MS)
    try {
      const after = watch.after()
      const reply = await call(
        heart,
        {
          plan_id: watch.roomId,
          game_id: watch.gameId,
          ...(after !== null && { after }),
        },
        { signal: stopped.signal },
      )
      watch.onBeat(beatFromWire(reply, { sentAt, receivedAt: performance.now() }))
    } catch (error) {
      if (!stopped.signal.aborted) watch.onTrouble(error)
    } finally {
      clearTimeout(late)
      asking = false
    }
    const rest = watch.everyMs - (performance.now() - sentAt)
    if (!stopped.signal.aborted) timer = setTimeout(beat, Math.max(0, rest))
  }

  const { signal } = stopped
  document.addEventListener('visibilitychange', beat, { signal })
  window.addEventListener('online', beat, { signal })
  beat()
  return {
    stop: () => {
      clearTimeout(timer)
      stopped.abort()
    },
    beatNow: beat,
  }
}

function beatFromWire(
  reply: ReplyOf<typeof heart>,
  times: { sentAt: number; receivedAt: number },
): Beat {
  const { issue, openTime1, whether_close } = reply.issue
  return {
    ...times,
    status: gameStatusFromWire(reply.game_status),
    issue,
    sealed: whether_close,
    clock: { of: issue, seconds: openTime1, sampledAt: times.receivedAt },
    lastDraw: reply.last_issue && drawFromWire(reply.last_issue),
    balance: amountFromWire(reply.user_quantity.money),
    bought: amountFromWire(reply.user_quantity.buy),
    wins: reply.hit_notice.map((hit) => ({
      issue: hit.issue,
      gameName: hit.game_name,
      profit: amountFromWire(hit.profit),
    })),
    entries: reply.message.map(feedEntryFromWire),
  }
}
