import { type Amount, parseAmount } from '@sum28/domain/money.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { fetchEntryFunds } from '#src/data/bet.ts'
import { configQuery } from '#src/data/config.ts'
import { signalProfit, soundDraw } from '#src/data/device-signals.ts'
import { GAMES_POLL_MS, gamesQuery } from '#src/data/games.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { refetchLatest } from '#src/data/rounds/refetch-rounds.ts'
import { currentSession, useSignedIn } from '#src/data/session-watch.ts'
import { REVEAL_MS } from '#src/features/draw-tiles.tsx'
import { useText } from '#src/i18n/text.ts'
import { useNavigate } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { showToast } from '#src/parts/toast-store.ts'
import { batchUpdates, subscribeToRoom } from '#src/screens/room/room-link.ts'
import {
  beatFailed,
  enterRoom,
  type RoomState,
  updateReceived,
} from '#src/screens/room/room-state.ts'
import type { RoomUpdate } from '#src/screens/room/room-update.ts'

const HEARTBEAT_MS = 2_000

function useHeartbeatMs(): number {
  return useQuery(configQuery).data?.heartbeatMs ?? HEARTBEAT_MS
}

/** The balance in a room; null before the first update. It is read where it is shown, so that nothing else renders with it. */
export const BalanceContext = createContext<Amount | null>(null)

/** Replaces the room's state by the result of a function of `room-state.ts`. */
export type ChangeRoom = (change: (state: RoomState) => RoomState) => void

export type LiveRoom = {
  room: RoomState
  change: ChangeRoom
  beatNow: () => void
}

/** A room, kept up to date while it is shown. */
export function useRoom({ gameId, roomId }: { gameId: number; roomId: number }): LiveRoom {
  const queries = useQueryClient()
  const heartbeatMs = useHeartbeatMs()
  const everyMs = useSignedIn() ? heartbeatMs : GAMES_POLL_MS
  const [room, change] = useState(() =>
    enterRoom({ gameId, roomId, shownRoundIds: shownWins(gameId) }),
  )
  const lastEntryId = useEffectEvent(() => room.lastEntryId)
  const revealedAt = useEffectEvent(() => (room.drawnAt ?? 0) + REVEAL_MS)
  const beatNowRef = useRef(() => {})

  useEffect(() => {
    const batches = batchUpdates((update) => {
      const serverTime = serverNow()
      change((state) => updateReceived(state, update, serverTime))
    })
    let lastDraw: string | undefined
    function onUpdate(update: RoomUpdate) {
      const draw = update.round?.lastDraw?.roundId
      if (draw && draw !== lastDraw) {
        refetchLatest(queries, gameId)
        // The room's stream says nothing of planned stops and smallest stakes; at the entry they are known.
        if (lastDraw) void refetchQuery(gamesQuery)
      }
      lastDraw = draw ?? lastDraw
      batches.add(update)
    }
    const link = subscribeToRoom({
      gameId,
      roomId,
      everyMs,
      after: () => lastEntryId(),
      onUpdate,
      onTrouble: (error) => change((state) => beatFailed(state, error)),
    })
    beatNowRef.current = link.beatNow
    return () => {
      link.stop()
      batches.stop()
    }
  }, [gameId, roomId, everyMs, queries])

  useEffect(() => {
    if (room.drawnAt !== null) soundDraw()
  }, [room.drawnAt])

  // A changed set has one more win, which is always a profit.
  const storedRoundIds = useRef(room.shownRoundIds)
  useEffect(() => {
    if (storedRoundIds.current === room.shownRoundIds) return
    storedRoundIds.current = room.shownRoundIds
    storeShownWins(gameId, room.shownRoundIds)
    // Felt and heard no sooner than it is seen.
    const timer = setTimeout(signalProfit, Math.max(0, revealedAt() - performance.now()))
    return () => clearTimeout(timer)
  }, [gameId, room.shownRoundIds])

  return { room, change, beatNow: useCallback(() => beatNowRef.current(), []) }
}

/** The rounds whose win was already shown, kept while the app is open: the server sends the last two again. */
const shown = new Map<string, ReadonlySet<string>>()

function shownWins(gameId: number): ReadonlySet<string> {
  return shown.get(keyOf(gameId)) ?? new Set()
}

function storeShownWins(gameId: number, roundIds: ReadonlySet<string>): void {
  shown.set(keyOf(gameId), roundIds)
}

function keyOf(gameId: number): string {
  return `${currentSession()?.userId} ${gameId}`
}

type Money = Pick<RoomState, 'balance' | 'bought'>

/** Whether cash and the stakes in this room together are below the required amount. */
export function isShort({ balance, bought }: Money, required: Amount): boolean {
  return balance !== null && balance + bought < required
}

/**
 * Sends a player with less than the address requires (default: nothing) to the trading hall, with a
 * toast. Checked with each change. If cash and the stakes of this room are not enough, fetches the
 * stakes of all running rounds.
 */
export function useRequiredMoney(requiredMoney: string | undefined, money: Money): void {
  const t = useText()
  const navigate = useNavigate()
  const parsed = parseAmount(requiredMoney ?? '', 6)
  const required = parsed.ok ? parsed.amount : 0n
  const { data: funds } = useQuery({
    // An answer for another balance is outdated.
    queryKey: ['entry-funds', `${money.balance}`, `${money.bought}`],
    enabled: isShort(money, required),
    gcTime: 0,
    staleTime: 0,
    structuralSharing: false,
    queryFn: ({ signal }) => fetchEntryFunds(signal),
  })
  const tooLittle = isShort(money, required) && funds !== undefined && funds < required

  useEffect(() => {
    if (!tooLittle) return
    showToast(t('hall.insufficient'), { stays: true })
    navigate(href('hall'), { replace: true })
  }, [tooLittle, navigate, t])
}
