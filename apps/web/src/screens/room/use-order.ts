import { showToast } from '@sum28/ui/toast-store.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { haveOddsChanged, mayHaveHappened } from '#src/data/failure.ts'
import { type Attempt, attemptFor, type Order } from '#src/data/order-attempt.ts'
import { learnMoney } from '#src/data/profile.ts'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'
import { oddsQuery } from '#src/screens/room/odds.ts'
import { addOwnBet } from '#src/screens/room/own-bets.ts'
import { placeBet } from '#src/screens/room/place-bet.ts'
import { type PlayStop, playStopOf } from '#src/screens/room/play-stop.ts'
import { betPlaced } from '#src/screens/room/room-state.ts'
import type { ChangeRoom } from '#src/screens/room/use-room.ts'

/** Places orders, one at a time, and updates the room with their results. */
export function useOrder(change: ChangeRoom): {
  place: (order: Order) => Promise<void>
  placing: boolean
  /** The reason for which the last order was refused to protect the player, or null. */
  stop: PlayStop | null
  setStop: (stop: PlayStop | null) => void
} {
  const t = useText()
  const queries = useQueryClient()
  const [placing, setPlacing] = useState(false)
  const [stop, setStop] = useState<PlayStop | null>(null)
  const underWay = useRef(false)
  const unanswered = useRef<Attempt | null>(null)

  const place = useCallback(
    async (order: Order) => {
      if (underWay.current) return
      underWay.current = true
      setPlacing(true)
      const { queryKey: oddsKey } = oddsQuery(order.roomId)
      const rulesVersion = queries.getQueryData(oddsKey)?.rulesVersion
      const attempt = attemptFor({ ...order, rulesVersion }, unanswered.current)
      try {
        const placed = await placeBet(attempt)
        unanswered.current = null
        learnMoney(placed.money)
        addOwnBet(queries, order.gameId, placed, queries.getQueryData(oddsKey))
        change((state) => betPlaced(state, placed))
        showToast(t('panel.placed', { orderNo: placed.orderNo }))
      } catch (error) {
        unanswered.current = mayHaveHappened(error) ? attempt : null
        const refused = playStopOf(error)
        if (unanswered.current) showToast(t('panel.unanswered'))
        else if (refused) setStop(refused)
        else showFailure(error)
        if (haveOddsChanged(error)) void queries.invalidateQueries({ queryKey: oddsKey })
      } finally {
        underWay.current = false
        setPlacing(false)
      }
    },
    [change, queries, t],
  )

  return { place, placing, stop, setStop }
}
