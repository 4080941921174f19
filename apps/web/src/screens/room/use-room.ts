import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import { followRoom } from '#src/data/live/room-link.ts'
import type { News } from '#src/data/live/room-news.ts'
import { askForLatest } from '#src/data/rounds/latest-rounds.ts'
import { vibrateForProfit } from '#src/data/win-vibration.ts'
import { calmNews } from '#src/screens/room/calm-news.ts'
import { keepNoticedIssues, noticedIssuesOf } from '#src/screens/room/noticed-wins.ts'
import { enterRoom, heard, notHeard, type RoomState } from '#src/screens/room/room-state.ts'

const HEARTBEAT_MS = 2_000

/** The default interval of beats while there is no stream, in milliseconds. */
export function useHeartbeatMs(): number {
  return useQuery(configQuery).data?.heartbeat_ms ?? HEARTBEAT_MS
}

/** Replaces the room's state by the result of a function of `room-state.ts`. */
export type ChangeRoom = (change: (state: RoomState) => RoomState) => void

/** A room, kept up to date while it is shown. */
export function useRoom({ gameId, roomId }: { gameId: number; roomId: number }): {
  room: RoomState
  change: ChangeRoom
  /** Sends a beat at once. */
  beatNow: () => void
  /** Whether the stream delivers now. */
  streaming: boolean
} {
  const queries = useQueryClient()
  const everyMs = useHeartbeatMs()
  const [room, change] = useState(() =>
    enterRoom({ gameId, roomId, noticedIssues: noticedIssuesOf(gameId) }),
  )
  const [streaming, setStreaming] = useState(false)
  const heardId = useRef(room.heardId)
  const beatNowRef = useRef(() => {})
  useEffect(() => {
    heardId.current = room.heardId
  }, [room.heardId])

  useEffect(() => {
    const calm = calmNews((news) => change((state) => heard(state, news)))
    let lastDraw: string | undefined
    function take(news: News) {
      const draw = news.round?.lastDraw?.issue
      if (draw && draw !== lastDraw) askForLatest(queries, gameId)
      lastDraw = draw ?? lastDraw
      calm.take(news)
    }
    const link = followRoom({
      gameId,
      roomId,
      everyMs,
      after: () => heardId.current,
      onNews: take,
      onTrouble: (error) => change((state) => notHeard(state, error)),
      onStreaming: setStreaming,
    })
    beatNowRef.current = link.beatNow
    return () => {
      link.stop()
      calm.stop()
    }
  }, [gameId, roomId, everyMs, queries])

  // A changed set has one more win, which is always a profit.
  const noticed = useRef(room.noticedIssues)
  useEffect(() => {
    if (noticed.current === room.noticedIssues) return
    noticed.current = room.noticedIssues
    keepNoticedIssues(gameId, room.noticedIssues)
    vibrateForProfit()
  }, [gameId, room.noticedIssues])

  return { room, change, beatNow: useCallback(() => beatNowRef.current(), []), streaming }
}
