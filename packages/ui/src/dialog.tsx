import { deferredOverlay } from '#src/deferred-overlay.tsx'
import type { DialogProps } from '#src/dialog-window.tsx'

export type { DialogTone } from '#src/dialog-window.tsx'

/** A dialog for a decision or an important message. A tap beside it does not close it. */
export const Dialog = deferredOverlay<DialogProps>(
  async () => (await import('#src/dialog-window.tsx')).DialogWindow,
)
