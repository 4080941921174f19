import type { WirePiece } from '@sum28/contract/staff-content-routes.ts'

/** `seen`: the piece that the forms were filled with. `now`: the present one. `onSaved`: called after a save. */
export type PieceForms = {
  seen: WirePiece
  now: WirePiece
  onSaved: (piece: WirePiece) => void
}

/** The colours of a piece's states. */
export const STATE_TONES = {
  draft: 'default',
  scheduled: 'warning',
  published: 'success',
  withdrawn: 'error',
} as const
