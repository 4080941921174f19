/**
 * Not native modal `<dialog>`s: these take every live region outside of them from screen readers, even one in a popover
 * above them, so toasts and draws would not be read. These here spare what has `aria-live`, a bare `role="status"` not.
 */
import type { DialogProps } from '#src/parts/dialog-window.tsx'
import { lazyOverlay } from '#src/parts/lazy-overlay.tsx'
import type { SheetProps } from '#src/parts/sheet-drawer.tsx'

export type { DialogTone } from '#src/parts/dialog-window.tsx'

/** A dialog for a decision or an important message. A tap beside it does not close it. */
export const Dialog = lazyOverlay<DialogProps>(
  async () => (await import('#src/parts/dialog-window.tsx')).DialogWindow,
  { early: true },
)

/** A panel from the bottom edge; closed by its button, a tap beside it, Escape or a swipe down. */
export const Sheet = lazyOverlay<SheetProps>(
  async () => (await import('#src/parts/sheet-drawer.tsx')).SheetDrawer,
  { early: true },
)
