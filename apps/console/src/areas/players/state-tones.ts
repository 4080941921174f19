import type { PlayerState } from '@sum28/contract/staff-players-routes.ts'
import type { Tone } from '#src/parts/state-chip.tsx'

/** The colour of an account's state. */
export const STATE_TONES = {
  active: 'success',
  frozen: 'error',
  closed: 'default',
} as const satisfies Record<PlayerState, Tone>
