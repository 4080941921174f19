import { deferredOverlay } from '#src/deferred-overlay.tsx'
import type { SheetProps } from '#src/sheet-drawer.tsx'

/** A panel from the bottom edge; closed by its button, a tap beside it, Escape or a swipe down. */
export const Sheet = deferredOverlay<SheetProps>(
  async () => (await import('#src/sheet-drawer.tsx')).SheetDrawer,
)
