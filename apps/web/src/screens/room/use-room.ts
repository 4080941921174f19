import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import { watchRoom } from '#src/data/room-watch.ts'
import { vibrateForProfit } from '#src/data/win-vibration.ts'
import { calmNews } from '#src/screens/room/calm-news.ts'
import { keepNoticedIssues, noticedIssuesOf } from '#src/screens/room/noticed-wins.ts'
import { enterRoom, heard, notHeard, type RoomState } from '#src/screens/room/room-state.ts'

const HEARTBEAT_MS = 2_000

/** How often a room asks the server while it has no stream, in milliseconds. */
export function useHeartbeatMs(): number {
  return useQuery(configQuery).data?.heartbeat_ms ?? HEARTBEAT_MS
}

/** Replaces the room's state by what a function of `room-state.ts` makes of it. */
export type ChangeRoom = (change: (state: RoomState) => RoomState) => void

/** A room that is kept up to date while it is shown. */
export function useRoom({ gameId, roomId }: { gameId: number; roomId: number }): {
  room: RoomState
  change: ChangeRoom
  /** Asks the server at once, whatever the stream will tell. */
  beatNow: () => void
  /** Whether news come by the stream now, and not by asking. */
  streaming: boolean
} {
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
    const watch = watchRoom({
      gameId,
      roomId,
      everyMs,
      after: () => heardId.current,
      onNews: calm.take,
      onTrouble: (error) => change((state) => notHeard(state, error)),
      onStreaming: setStreaming,
    })
    beatNowRef.current = watch.beatNow
    return () => {
      watch.stop()
      calm.stop()
    }
  }, [gameId, roomId, everyMs])

  // A set that has changed is one with a win more, which is a profit: only of such there is notice.
  const noticed = useRef(room.noticedIssues)
  useEffect(() => {
    if (noticed.current === room.noticedIssues) return
    noticed.current = room.noticedIssues
    keepNoticedIssues(gameId, room.noticedIssues)
    vibrateForProfit()
  }, [gameId, room.noticedIssues])

  return { room, change, beatNow: useCallback(() => beatNowRef.current(), []), streaming }
}
