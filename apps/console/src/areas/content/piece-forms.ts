import type { WirePiece } from '@sum28/contract/staff-content-routes.ts'

/** A piece that forms were made from, the present one, and what takes a reply of ours in. */
export type PieceForms = {
  seen: WirePiece
  now: WirePiece
  take: (piece: WirePiece) => void
}

/** The colours of a piece's states. */
export const STATE_TONES = {
  draft: 'default',
  scheduled: 'warning',
  published: 'success',
  withdrawn: 'error',
} as const
