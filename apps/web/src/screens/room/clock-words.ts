import type { Phase } from '#src/screens/room/room-state.ts'

/** The round's clock as it is shown now. */
export type RoomClock = {
  phase: Phase
  /** Until the seal; 0 if no bets are accepted. */
  seconds: number
  /** Seconds for which a round accepts bets. */
  total: number
}

/** Shown instead of the clock while it does not run. */
export const CLOCK_WORDS = {
  unknown: 'toast.loading',
  open: 'round.sealed',
  sealed: 'round.sealed',
  closed: 'round.closed',
  stopped: 'round.stopped',
  'all-stopped': 'round.allStopped',
} as const satisfies Record<Phase, string>
