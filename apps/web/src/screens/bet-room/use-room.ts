import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import { watchRoom } from '#src/data/heart.ts'
import { keepNoticedIssues, noticedIssuesOf } from '#src/screens/bet-room/noticed-wins.ts'
import { enterRoom, heard, notHeard, type RoomState } from '#src/screens/bet-room/room-state.ts'

const HEARTBEAT_MS = 2_000

/** How often a room asks the server, in milliseconds. */
export function useHeartbeatMs(): number {
  return useQuery(configQuery).data?.heartbeat_ms ?? HEARTBEAT_MS
}

/** Replaces the room's state by what a function of `room-state.ts` makes of it. */
export type ChangeRoom = (change: (state: RoomState) => RoomState) => void

/** A room that is kept up to date while it is shown. */
export function useRoom({ gameId, roomId }: { gameId: number; roomId: number }): {
  room: RoomState
  change: ChangeRoom
  /** Asks the server at once instead of at the next beat. */
  beatNow: () => void
} {
  const everyMs = useHeartbeatMs()
  const [room, change] = useState(() =>
    enterRoom({ gameId, roomId, noticedIssues: noticedIssuesOf(gameId) }),
  )
  const heardId = useRef(room.heardId)
  const beatNowRef = useRef(() => {})
  useEffect(() => {
    heardId.current = room.heardId
  }, [room.heardId])

  useEffect(() => {
    const watch = watchRoom({
      gameId,
      roomId,
      everyMs,
      after: () => heardId.current,
      onBeat: (beat) => change((state) => heard(state, beat)),
      onTrouble: (error) => change((state) => notHeard(state, error)),
    })
    beatNowRef.current = watch.beatNow
    return watch.stop
  }, [gameId, roomId, everyMs])

  useEffect(() => keepNoticedIssues(gameId, room.noticedIssues), [gameId, room.noticedIssues])

  return { room, change, beatNow: useCallback(() => beatNowRef.current(), []) }
}
