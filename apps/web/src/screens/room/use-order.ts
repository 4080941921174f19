import { newIdempotencyKey, Refusal } from '@sum28/contract/client.ts'
import { mayHaveHappened } from '@sum28/contract/keyed-actions.ts'
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { roundNumber } from '@sum28/domain/issues.ts'
import { amountFromWire, formatAmount } from '@sum28/domain/money.ts'
import { totalStake } from '@sum28/domain/payout.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { tabStorage } from '@sum28/ui/storage.ts'
import { createStore, useStore } from '@sum28/ui/store.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { call } from '#src/data/client.ts'
import { failureText, showFailure } from '#src/data/failure.ts'
import { moneyFromWire } from '#src/data/money.ts'
import { learnMoney } from '#src/data/profile.ts'
import { currentSession, useSession, watchSession } from '#src/data/session-watch.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { showToast } from '#src/parts/toast-store.ts'
import { keepLineLater } from '#src/screens/room/keep-lines-later.ts'
import { oddsQuery } from '#src/screens/room/odds.ts'
import { addOwnBet } from '#src/screens/room/own-bets.ts'
import { type PlayStop, playStopOf } from '#src/screens/room/play-stop.tsx'
import {
  betPlaced,
  type Order,
  orderUnanswered,
  type PlacedBet,
} from '#src/screens/room/room-state.ts'
import { feedEntryFromWire } from '#src/screens/room/room-update.ts'
import type { ChangeRoom } from '#src/screens/room/use-room.ts'

/** One action of the player: the order, and its idempotency key, the same in all its tries. */
export type Attempt = { readonly order: Order; readonly key: string }

/** Sends an attempt. Rejects with `Refusal`, or with `Unreachable` if no answer came. */
async function placeBet({ order, key }: Attempt): Promise<PlacedBet> {
  const reply = await call(
    playOrder,
    {
      issue: order.roundId,
      plan_id: order.roomId,
      game_id: order.gameId,
      play_type: JSON.stringify(order.ruleIds),
      money: formatAmount(order.stake),
      ...(order.followedId !== null && { follow_id: order.followedId }),
      ...(order.rulesVersion !== undefined && { rules_version: order.rulesVersion }),
    },
    { idempotencyKey: key },
  )
  return {
    orderNo: reply.orderNo,
    entry: feedEntryFromWire(reply),
    money: moneyFromWire({ money: reply.after_quantity, version: reply.version }),
  }
}

/** Another player of the same tab has his own. */
function nameOf(userId: string | undefined): string {
  return `sum28-unanswered-bet-${userId}`
}

/** Keeps a player's order that has no answer yet, also when the page is loaded again. */
export function keepUnanswered(userId: string, attempt: Attempt): void {
  const stake = formatAmount(attempt.order.stake)
  const kept = { ...attempt, order: { ...attempt.order, stake } }
  try {
    tabStorage().setItem(nameOf(userId), JSON.stringify(kept))
  } catch {
    // There is no room on the device: then it is known only until the page is loaded again.
  }
}

/** Forgets the order of this key. */
export function forgetUnanswered(userId: string, key: string): void {
  if (keptUnanswered(userId)?.key === key) tabStorage().removeItem(nameOf(userId))
}

/** The order of a player that has no answer yet, or null. */
export function keptUnanswered(userId: string | undefined): Attempt | null {
  try {
    const kept = JSON.parse(tabStorage().getItem(nameOf(userId)) ?? 'null')
    if (kept === null || typeof kept.key !== 'string') return null
    const { key, order } = kept
    return { key, order: { ...order, stake: amountFromWire(order.stake) } }
  } catch {
    return null
  }
}

/** The player's order that has no answer yet: it is under way, or the page gave up waiting, or both. */
type Open = {
  readonly userId: string
  readonly attempt: Attempt
  readonly isUnderWay: boolean
  /** Whether it may have been accepted already: it is sent again, and no other order is placed before. */
  readonly isUnanswered: boolean
}

/** One for all rooms: a player may leave a room while an order is under way, and enter it or another one again. */
const open = createStore<Open | null>(null)
watchSession(() => {
  if (!currentSession()) open.set(null)
})

/** The open order of the player who is signed in; after a load of the page the one that was kept. */
function openOrder(): Open | null {
  const userId = currentSession()?.userId
  const known = open.get()
  if (known && known.userId === userId) return known
  const attempt = keptUnanswered(userId)
  if (!attempt || userId === undefined) return null
  const kept = { userId, attempt, isUnderWay: false, isUnanswered: true }
  open.set(kept)
  return kept
}

/** Shows a stop in the room that is shown, which need not be the one that sent the order; null if none is. */
let showStop: ((stop: PlayStop) => void) | null = null

/** Says that an order got no answer, and may be sent again. */
export function useUnansweredText(): (order: Order) => string {
  const t = useText()
  const { tag } = useLocale()
  return useCallback(
    ({ roundId, stake, ruleIds }) => {
      const total = totalStake({ stake, selections: ruleIds.length })
      return t('order.noAnswer', { round: roundNumber(roundId), total: amountText(total, { tag }) })
    },
    [t, tag],
  )
}

type UseOrder = { roomId: number; change: ChangeRoom }

/** Places orders, one at a time, and updates the room with their results. */
export function useOrder({ roomId, change }: UseOrder): {
  /** Does nothing while an earlier order has no answer: that one is sent again first. */
  place: (order: Order) => Promise<void>
  /** The order that is under way, perhaps from another room, or null. */
  placing: Order | null
  /** The order, perhaps of another room, of which it is not known whether it was accepted; null if there is none. */
  unanswered: Order | null
  /** Sends it again with its own key and round, so that it is never charged twice and never placed in a later round. */
  sendAgain: () => Promise<void>
  /** The reason for which the last order was refused to protect the player, or null. */
  stop: PlayStop | null
  setStop: (stop: PlayStop | null) => void
} {
  const t = useText()
  const unansweredText = useUnansweredText()
  const queries = useQueryClient()
  const [stop, setStop] = useState<PlayStop | null>(null)
  const player = useSession('userId')
  const known = useStore(open)
  const own = known?.userId === player ? known : null

  useEffect(() => {
    if (player !== undefined) openOrder()
  }, [player])

  useEffect(() => {
    showStop = setStop
    return () => {
      showStop = null
    }
  }, [])

  const send = useCallback(
    async (attempt: Attempt) => {
      const userId = currentSession()?.userId
      const before = openOrder()
      if (userId === undefined || before?.isUnderWay) return
      const { order, key } = attempt
      const { queryKey: oddsKey } = oddsQuery(order.roomId)
      const isUnanswered = before !== null
      open.set({ userId, attempt, isUnderWay: true, isUnanswered })
      // Before it is sent: the page may be closed while it is under way.
      keepUnanswered(userId, attempt)
      const end = (left: Open | null) => {
        if (open.get()?.attempt.key === key) open.set(left)
        if (!left) forgetUnanswered(userId, key)
      }
      try {
        const placed = await placeBet(attempt)
        end(null)
        if (currentSession()?.userId !== userId) return
        learnMoney(placed.money)
        keepLineLater(placed.orderNo)
        addOwnBet(queries, order, placed)
        if (order.roomId === roomId) change((now) => betPlaced(now, placed, order))
        showToast(t('panel.placed', { orderNo: placed.orderNo }))
      } catch (error) {
        const isUnknown = mayHaveHappened(error, isUnanswered)
        end(isUnknown ? { userId, attempt, isUnderWay: false, isUnanswered: true } : null)
        if (currentSession()?.userId !== userId) return
        const refused = playStopOf(error)
        if (isUnknown) {
          change(orderUnanswered)
          if (isUnanswered) showFailure(error)
          // A room would show its notice.
          else if (!showStop) showToast(unansweredText(order), { stays: true })
        } else if (refused && showStop) showStop(refused)
        else if (refused || isUnanswered) {
          // Its player does not see what it is about, or asked what became of it.
          const round = roundNumber(order.roundId)
          showToast(t('order.notPlaced', { round, reason: failureText(error) }), { stays: true })
        } else showFailure(error)
        if (haveOddsChanged(error)) void queries.invalidateQueries({ queryKey: oddsKey })
      }
    },
    [roomId, change, queries, t, unansweredText],
  )

  const place = useCallback(
    async (order: Order) => {
      if (openOrder()) return
      const { queryKey: oddsKey } = oddsQuery(order.roomId)
      const rulesVersion = queries.getQueryData(oddsKey)?.rulesVersion
      await send({ order: { ...order, rulesVersion }, key: newIdempotencyKey() })
    },
    [send, queries],
  )

  const sendAgain = useCallback(async () => {
    const again = openOrder()
    if (again) await send(again.attempt)
  }, [send])

  return {
    place,
    placing: own?.isUnderWay ? own.attempt.order : null,
    unanswered: own?.isUnanswered ? own.attempt.order : null,
    sendAgain,
    stop,
    setStop,
  }
}

function haveOddsChanged(error: unknown): boolean {
  return error instanceof Refusal && error.data.reason === 'odds_changed'
}
