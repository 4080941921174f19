import type { Phase } from '#src/screens/room/room-state.ts'

/** The round's clock as it is shown now. */
export type RoomClock = {
  phase: Phase
  /** Until the seal; 0 when bets are not taken. */
  seconds: number
  /** Seconds for which a round takes bets. */
  total: number
}

/** What stands in the clock's place when it does not run. */
export const CLOCK_WORDS = {
  unknown: 'toast.loading',
  open: 'play.sealed',
  sealed: 'play.sealed',
  closed: 'play.closed',
  stopped: 'play.stopped',
  'all-stopped': 'play.allStopped',
} as const satisfies Record<Phase, string>
